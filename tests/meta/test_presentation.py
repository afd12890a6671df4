"""Tables in every format."""

import json
import math

import pytest

from synteval.errors import OptionError
from synteval.meta.presentation import render

COLUMNS, ROWS = ["metric", "r"], [["stm_4", 0.123456], ["a|b", math.nan]]


def test_formats():
    assert render(COLUMNS, ROWS) == "metric       r\nstm_4   0.1235\na|b          -\n"
    assert render(COLUMNS, ROWS, "tsv") == "metric\tr\nstm_4\t0.123456\na|b\t\n"
    assert render(COLUMNS, ROWS, "markdown").splitlines()[1:] == [
        "| --- | ---: |",
        "| stm_4 | 0.1235 |",
        "| a\\|b | - |",
    ]
    assert json.loads(render(COLUMNS, ROWS, "json"))[1] == {"metric": "a|b", "r": None}
    assert "stm\\_4 & 0.1235 \\\\" in render(COLUMNS, ROWS, "latex")
    with pytest.raises(OptionError):
        render(COLUMNS, ROWS, "html")
