"""synteval's metrics in the dress of other libraries."""
