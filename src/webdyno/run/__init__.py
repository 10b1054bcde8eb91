"""A run: a study's trials in randomised blocks, until the verdict or the end of the budget.

`run_study` is the whole of it, by its `settings`; `verify` is a proof without a ranking. In the
order of a run: `study/` holds what was asked for, `preparation/` what has to be there, `bench/`
where it is done, `budget/` what the time is spent on, `blocks/` the trials, `judgement/` what they
support, `record/` what is kept; `comparison/` is about several runs.
"""
