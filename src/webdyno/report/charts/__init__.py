"""What is drawn: interactive charts, and the picture of a ranking."""
