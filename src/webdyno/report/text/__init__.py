"""What a run concludes, in words: each sentence derived from the verdicts and the records alone."""
