"""Parser scores on gold trees: attachment (UAS, LAS) and labelled bracketing."""
