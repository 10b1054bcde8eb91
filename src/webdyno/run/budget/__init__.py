"""What the time will be spent on: what trials are expected to take, and the plan made of it."""
