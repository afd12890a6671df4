"""Metrics on parses and on texts, one file each."""
