"""JavaScript and TypeScript on Node.js."""

from webdyno.runtime.programs import NUMBER, PROGRAM, Language, Program

_ADD = 'case $("$@" --version) in 1.*) exec "$@" add -W "$0";; *) exec "$@" add "$0";; esac'
"""How Yarn adds the package `$0`: at the top of a workspace Yarn 1 needs an option for it that its
successors do not know."""

LANGUAGE = Language(
    Program("node", ("--version",), rf"^v{NUMBER}", "nodejs", "node", "nodejs.org"),
    Program("npm", ("--version",), rf"^{NUMBER}", "npm", "node", "nodejs.org"),
    Program(
        "pnpm", ("--version",), rf"^{NUMBER}", page="pnpm.io", hint="npm install --global pnpm"
    ),
    Program(
        "yarn",
        ("--version",),
        rf"^{NUMBER}",
        page="yarnpkg.com",
        hint="npm install --global yarn@1",
    ),
    install=["npm", "install", "--no-save", "--no-audit", "--no-fund", "{name}@{version}"],
    # npm knows nothing of their folders, nor of packages that stay in archives.
    install_by={
        "yarn": ["sh", "-c", _ADD, "{name}@{version}", PROGRAM],
        "pnpm": [PROGRAM, "add", "--ignore-workspace-root-check", "{name}@{version}"],
        "bun": [PROGRAM, "add", "{name}@{version}"],
    },
)
