"""Programs that run: started, pinned, counted with all they start, and ended with it."""
