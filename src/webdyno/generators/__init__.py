"""What makes the load. Every generator takes the same three steps: arguments, run, parse."""
