"""The board: every server in every scenario that it implements, kept current piece by piece.

A piece is an ordinary run of one scenario with a few servers and a reference. What the board knows
is read from the stored runs: there is no other state.
"""
