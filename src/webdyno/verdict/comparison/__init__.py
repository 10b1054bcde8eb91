"""Servers beside each other, and a run beside earlier ones: what differs, what is open."""
