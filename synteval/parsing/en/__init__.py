"""The embedded English parser: both trees, tags and lemmas, from files that ship with the package."""
