"""The life of one trial, one step a file: start, prove, warm up, measure, stop (see `life`).

`starting/` starts the server, `proof/` asks whether the work is done, `loads/` makes the load that
counts, a strategy a kind; `watching/` is what is seen of a server meanwhile, `assessment/` what
came of it all. Taking turns (`turns`) is a scheduler around it, with what it needs in
`turn_taking/`.
"""
