"""A run: a study's trials in randomised blocks, until the verdict or the end of the budget."""
