"""The services, a file each; see `webdyno.plugins`.

A file's constant `SERVICE` is a `webdyno.runtime.services.base.Service`: how it is started and
looked for, and the programs that it needs.
"""
