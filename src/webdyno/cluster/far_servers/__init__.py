"""A study whose servers run on another machine: the head's side, and that machine's."""
