"""What the trials support: verdicts, and what is told beside them."""
