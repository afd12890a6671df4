"""The record inside a report's page."""

from __future__ import annotations

import base64
import json
import re
import zlib
from typing import Any


def unpacked(page: str) -> dict[str, Any]:
    """The record, as the page's own script unpacks it."""
    found = re.search(r'id="data">([^<]*)</script>', page)
    assert found
    return dict(json.loads(zlib.decompress(base64.b64decode(found.group(1)), -15)))
