"""synteval's metrics in the dress of other libraries."""

from synteval.compat import evaluate as evaluate
