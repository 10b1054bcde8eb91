"""Two services that run already, compared by their URLs."""
