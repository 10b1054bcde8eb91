"""JavaScript and TypeScript on Node.js."""

from webdyno.runtime.programs import NUMBER, Language, Program

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
        "yarn": ["yarn", "add", "{name}@{version}"],
        "pnpm": ["pnpm", "add", "--ignore-workspace-root-check", "{name}@{version}"],
    },
)
