"""The load engines on the machines, placed by Ray, and how the head reaches them."""
