"""The search for the highest rate at which a server meets an objective."""
