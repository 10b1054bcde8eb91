"""What both versions are asked, for how long, and the study that is made of it."""
