"""Word senses: the inventory that ships (WordNet 3.0), and the policies that tag a parse with it."""

from synteval.senses.inventory import Inventory, load_inventory
from synteval.senses.tagging import POLICIES, SenseTagger, check_policy

__all__ = [
    "POLICIES",
    "Inventory",
    "SenseTagger",
    "check_policy",
    "load_inventory",
]
