"""The record of a run: begun, written by one process, closed, and taken up again."""
