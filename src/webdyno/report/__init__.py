"""What a run found, for people and for programs.

`text/` holds what is concluded, in words; `tables/` rows and columns; `charts/` what is drawn;
`formats/` the files and views made of them; `live/` the run while it happens. Beside them stands
what all of them use: the summary of a run, its metrics, numbers as text.

Nothing heavy is imported here, so that the terminal table starts without the chart libraries.
"""
