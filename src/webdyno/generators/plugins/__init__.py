"""The load generators, a file each; see `webdyno.plugins`.

A file's constant `GENERATOR` is a `webdyno.generators.plugin.GeneratorPlugin`: what it can do, how
it is made ready, and how it makes a load. What Webdyno installs for it is named in `tools/NAME`
beside this package.
"""
