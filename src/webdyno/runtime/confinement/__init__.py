"""What a program may use and touch, what holds it to that, and what it did beside its work."""
