"""What a user asks of `ab`: which two versions, and how both are built, started and asked."""
