"""Where it is all done: the machine, what it gives each server, and the study that it can make."""
