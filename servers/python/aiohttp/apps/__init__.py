"""One application for each scenario; a worker imports its own only."""
