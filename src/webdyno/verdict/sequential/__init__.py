"""Looking at growing data: when, at which level, and how many blocks it still takes."""
