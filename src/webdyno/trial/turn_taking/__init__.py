"""Taking turns: slices of a load, whether a server suits them, and who connects to a frozen one."""
