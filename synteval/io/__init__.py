"""Readers and writers of segments: text, tables, brackets, CoNLL-U, WMT XML and SGM, each also gzipped."""

from synteval.io.brackets import format_brackets, read_brackets
from synteval.io.conllu import format_conllu, read_conllu
from synteval.io.files import read_lines, read_text
from synteval.io.segments import FORMATS, Segments, format_of, name_of, read_segments, read_wmt
from synteval.io.tables import Table, format_table, read_table

__all__ = [
    "FORMATS",
    "Segments",
    "Table",
    "format_brackets",
    "format_conllu",
    "format_of",
    "format_table",
    "name_of",
    "read_brackets",
    "read_conllu",
    "read_lines",
    "read_segments",
    "read_table",
    "read_text",
    "read_wmt",
]
