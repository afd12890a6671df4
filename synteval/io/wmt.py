"""The XML of the WMT tasks (`dataset/doc/src|ref|hyp`) and the older SGM (`srcset|refset|tstset`).

Neither reader resolves entities: XML with a document type or an entity declaration is refused, SGM knows character
references only.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from synteval.errors import InputError
from synteval.io.files import read_text, shown

_SGM_TAG = re.compile(r"<(/?)(srcset|refset|tstset|doc|seg)\b([^<>]*)>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""([\w.:-]{1,64})\s{0,8}=\s{0,8}(?:"([^"]*)"|'([^']*)'|([^\s>]+))""")
# The text is decoded already: what the declaration says of its encoding no longer holds.
_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_WORD = re.compile(r"\s+")

# (document, segment), which is what the files agree on.
Key = tuple[str, str]


@dataclass
class WmtSet:
    """What such a file holds: the segments of each source, reference and system, by document and segment number."""

    path: str
    sources: dict[str, dict[Key, str]] = field(default_factory=dict)
    references: dict[str, dict[Key, str]] = field(default_factory=dict)
    systems: dict[str, dict[Key, str]] = field(default_factory=dict)

    def keys(self) -> list[Key]:
        """All segments, in the order of the file."""
        order: dict[Key, None] = {}
        for group in (self.sources, self.references, self.systems):
            for texts in group.values():
                order.update(dict.fromkeys(texts))
        return list(order)

    def lines(self, texts: dict[Key, str], what: str, keys: list[Key] | None = None) -> list[str]:
        """One text a segment; a segment that is missing is an error."""
        wanted = self.keys() if keys is None else keys
        for document, segment in wanted:
            if (document, segment) not in texts:
                raise InputError(f"{self.path}: {what} lacks segment {segment} of document {document}")
        return [texts[key] for key in wanted]


def read_xml(path: str | Path) -> WmtSet:
    """Read the newer format."""
    import xml.etree.ElementTree as ElementTree

    import defusedxml.ElementTree
    from defusedxml.common import DefusedXmlException

    try:
        root: Any = defusedxml.ElementTree.fromstring(_DECLARATION.sub("", read_text(path)), forbid_dtd=True)
    except DefusedXmlException:
        raise InputError(
            f"{shown(path)}: declares a document type or entities, which are not read; remove the declaration"
        ) from None
    except ElementTree.ParseError as error:
        line = error.position[0]
        raise InputError(f"{shown(path)}:{line}: not well-formed XML ({str(error).split(':')[0]})") from None
    except (ValueError, LookupError) as error:
        raise InputError(f"{shown(path)}: not readable as XML ({error})") from None
    found = WmtSet(shown(path))
    for number, document in enumerate(root.iter("doc")):
        name = document.get("id", str(number + 1))
        for element in document:
            groups = {"src": found.sources, "ref": found.references, "hyp": found.systems}
            if element.tag in groups:
                default = {"src": "source", "ref": "reference", "hyp": "system"}[element.tag]
                label = element.get("system") or element.get("translator") or element.get("lang") or default
                texts = groups[element.tag].setdefault(label, {})
                for count, segment in enumerate(element.iter("seg"), start=1):
                    key = (name, segment.get("id", str(count)))
                    texts[key] = _line("".join(segment.itertext()))
    if not found.keys():
        raise InputError(f"{shown(path)}: no segments found; expected dataset/doc/src|ref|hyp/p/seg")
    return found


def read_sgm(path: str | Path) -> WmtSet:
    """Read the older format, which is seldom valid XML: only the tags of interest are looked at."""
    text = read_text(path)
    found = WmtSet(shown(path))
    groups = {"srcset": found.sources, "refset": found.references, "tstset": found.systems}
    group: dict[str, dict[Key, str]] | None = None
    set_system = document = system = ""
    segment: tuple[str, int] | None = None
    count = documents = 0
    for match in _SGM_TAG.finditer(text):
        closing, tag = match.group(1), match.group(2).lower()
        attributes = {name.lower(): a or b or c for name, a, b, c in _ATTRIBUTE.findall(match.group(3))}
        if tag in groups:
            group = None if closing else groups[tag]
            set_system = attributes.get("sysid", attributes.get("refid", tag.removesuffix("set")))
            documents = 0
        elif tag == "doc" and not closing:
            documents += 1
            document = attributes.get("docid", str(documents))
            system = attributes.get("sysid", set_system)
            count = 0
        elif tag == "seg" and not closing:
            count += 1
            segment = (attributes.get("id", str(count)), match.end())
        elif tag == "seg":
            if segment is None or group is None:
                line = _line_number(text, match.start())
                raise InputError(f"{shown(path)}:{line}: a segment ends that did not begin inside a set")
            group.setdefault(system or set_system, {})[(document, segment[0])] = _line(
                html.unescape(text[segment[1] : match.start()])
            )
            segment = None
    if segment is not None:
        line = _line_number(text, segment[1])
        raise InputError(f"{shown(path)}:{line}: segment {segment[0]} is not closed; add </seg>")
    if not found.keys():
        raise InputError(f"{shown(path)}: no segments found; expected srcset, refset or tstset with doc and seg")
    return found


def _line_number(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def _line(text: str) -> str:
    return _WORD.sub(" ", text).strip()
