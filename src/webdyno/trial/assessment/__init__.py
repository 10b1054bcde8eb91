"""What came of a trial: its measurement, what that is worth, or why there is none."""
