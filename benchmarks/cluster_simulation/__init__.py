"""A load from a hundred machines, on paper: what is to be expected before anybody rents them."""
