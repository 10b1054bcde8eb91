"""The built-in engine among the generators; what it is made of is in `webdyno.generators.engine`,
since trials hold it and let it go on by themselves."""

from webdyno.generators.engine import Engine

GENERATOR = Engine()
