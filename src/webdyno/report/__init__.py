"""What a run found, for people and for programs: one file a format.

Nothing heavy is imported here, so that the terminal table starts without the chart libraries.
"""
