"""The start of a trial's server: until its first answer, or until it is known why there is none."""
