"""Other load generators, a file each; see `webdyno.plugins`.

A file's constant `TOOL` is a `webdyno.generators.cross_check.client.Tool`: the arguments of a
closed and an open load, the version, and what the output means.
"""
