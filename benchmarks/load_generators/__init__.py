"""The engine beside other load generators, in one run against the same servers."""
