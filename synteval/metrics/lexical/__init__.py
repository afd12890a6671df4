"""Lexical companions: metrics that read the raw texts, beside which a syntactic score is believed."""
