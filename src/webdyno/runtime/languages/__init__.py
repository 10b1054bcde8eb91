"""The programs that languages bring, a file for each language; see `webdyno.plugins`.

A file's constant `LANGUAGE` is a `webdyno.runtime.programs.Language`. What servers of a language
have in common beside these is content: `servers/LANGUAGE/language.toml`.
"""
