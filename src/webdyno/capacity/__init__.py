"""From measurements to machines: how many servers a day's traffic needs."""
