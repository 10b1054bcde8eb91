"""One load from many machines: links tried, parts begun at one instant, watched, put together."""
