"""Block after block of trials: what is measured next, under which load, and when it ends."""
