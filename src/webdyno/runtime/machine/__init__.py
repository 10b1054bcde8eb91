"""The machine: what it is, how quiet it is, and which of its cores each role has."""
