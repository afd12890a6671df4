"""Token vectors: a layer of the record that a small encoder makes, where a metric asks for it."""
