"""A run: a study's trials in randomised blocks, until the verdict or the end of the budget.

Before it: what was asked for (`asked`, `narrow`, `widen`), what that needs (`plan`, `agenda`,
`estimates`), what is there (`needs`, `given`, `prepare`). The run itself: `loop`, `blocks`,
`schedule`, `writer`, `resume`. After it: `judge`, `describe`, `costs`, `usl`. Of several runs:
`comparable`, `compare`, `history`.
"""
