"""One application for each scenario, of which one is installed."""
