"""Write the README's tables of servers and scenarios from the catalog.

Run it after a change of content: `.webdyno/venv/bin/python docs/readme_tables.py`.
"""

from __future__ import annotations

from pathlib import Path

from webdyno.catalog import Catalog

ROOT = Path(__file__).resolve().parent.parent
BEGIN = "<!-- tables: made by docs/readme_tables.py -->\n"
END = "<!-- end of tables -->"


def summary(description: str) -> str:
    """The first paragraph, on one line."""
    return " ".join(description.strip().partition("\n\n")[0].split())


def tables(catalog: Catalog) -> str:
    """Both tables, as Markdown."""
    lines = [
        "| scenario | the work |",
        "|---|---|",
        *(
            f"| `{each.id}` | {summary(each.manifest.description)} |"
            for each in catalog.scenarios()
        ),
    ]
    lines += ["", "| server | framework | scenarios | variants |", "|---|---|---|---|"]
    for server in catalog.servers():
        manifest = server.manifest
        name = manifest.framework
        linked = f"[{name}]({manifest.homepage})" if manifest.homepage else name
        framework = manifest.framework_label.replace(name, linked, 1)
        scenarios = ", ".join(sorted(manifest.scenarios))
        variants = ", ".join(manifest.variants)
        lines.append(f"| `{server.id}` | {framework} | {scenarios} | {variants} |")
    return "\n".join(lines) + "\n"


def replaced(page: str, made: str, begin: str = BEGIN, end: str = END) -> str:
    """`page` with `made` between the markers, by default the README's."""
    before, _, rest = page.partition(begin)
    _, _, after = rest.partition(end)
    return f"{before}{begin}{made}{end}{after}"


def main() -> None:
    """Write the README anew."""
    path = ROOT / "README.md"
    text = path.read_text(encoding="utf-8")
    path.write_text(replaced(text, tables(Catalog([ROOT]))), encoding="utf-8")


if __name__ == "__main__":
    main()
