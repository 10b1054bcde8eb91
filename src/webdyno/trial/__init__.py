"""The life of one trial, one step a file: start, prove, warm up, measure, stop."""
