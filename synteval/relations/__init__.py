"""Grammatical relations: read them, extract them from parses of any scheme, score them, compare parsers on them."""
