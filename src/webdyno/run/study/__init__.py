"""What a run was asked for: its study as the user changed it, and what competes at what."""
