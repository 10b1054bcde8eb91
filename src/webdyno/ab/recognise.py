"""What a folder says of the service in it: how it is built and run, by its usual manifests.

One function an ecosystem, in the order in which they are asked; each gives None where the folder is
not of its kind. What cannot be found out is left empty, and said in `open`.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from webdyno.runtime.services.registry import SERVICES


@dataclass(frozen=True)
class Recognised:
    """A service as its manifest describes it; commands as lines for `webdyno.toml`."""

    manifest: str
    language: str
    build: tuple[str, ...] = ()
    run: str = ""
    toolchain: tuple[str, ...] = ()
    writes: bool = False
    open: str = ""
    """What its owner has to say, in one line; empty where all was found."""
    services: tuple[str, ...] = ()
    """Whose drivers it depends on."""


def recognise(folder: Path) -> Recognised | None:
    """The service in `folder`; None where no manifest is known."""
    found = next((found for ask in _KINDS if (found := ask(folder)) is not None), None)
    if found is None:
        return None
    outside = _outside(folder)
    said = (
        f"it needs {outside}, and a build sees this folder alone: describe the service in a folder "
        "that holds both"
    )
    return replace(found, services=_services(folder), open=said if outside else found.open)


def _outside(folder: Path) -> str:
    """The first neighbour that a manifest takes a dependency from; empty where there is none."""
    found = (
        re.search(pattern, _text(folder / name), re.MULTILINE)
        for name, pattern in (
            ("package.json", r"\"(?:file|link):(\.\./[^\"]*)\""),
            ("Cargo.toml", r"\bpath\s*=\s*\"(\.\./[^\"]*)\""),
            ("go.mod", r"=>\s*(\.\./\S*)"),
        )
    )
    return next((match[1] for match in found if match), "")


def _services(folder: Path) -> tuple[str, ...]:
    """The databases whose drivers its manifests name."""
    needs = "\n".join(_text(folder / name).lower() for name in _MANIFESTS)
    # Of Go's modules, those that another module names: an ORM names the drivers of all databases.
    needs = re.sub(r"^.*// indirect$", "", needs, flags=re.MULTILINE)
    drivers = ((name, SERVICES[name].drivers) for name in sorted(SERVICES))
    return tuple(name for name, pattern in drivers if pattern and re.search(pattern, needs))


_MANIFESTS = (
    "package.json", "requirements.txt", "pyproject.toml", "Pipfile", "setup.py", "go.mod",
    "Cargo.toml", "pom.xml", "build.gradle", "build.gradle.kts", "composer.json", "Gemfile",
    "Package.swift",
)  # fmt: skip


def _node(folder: Path) -> Recognised | None:
    path = folder / "package.json"
    if not path.is_file():
        return None
    package = _json(path)
    scripts = _table(package.get("scripts"))
    tool, install = _node_tool(folder, package)
    build = [install] if install else []
    if "build" in scripts:
        build.append(f"{tool} run build")
    start, ask = _without_env_file(folder, str(scripts.get("start", "")).strip())
    run = ""
    if re.fullmatch(r"node(?: [\w@%+=:,./-]+)+", start):
        run = start  # Without the package manager's own process beside it.
    elif start:
        run = f"{tool} start"
    else:
        names = [str(package.get("main", "")), "server.js", "index.js", "app.js", "src/index.js"]
        main = next((name for name in names if name and (folder / name).is_file()), "")
        run = f"node {main}" if main else ""
        ask = "" if main else "no script `start` in package.json; set the start command"
    needed = ("node",) if tool == "npm" else ("node", tool)
    return Recognised("package.json", "node", tuple(build), run, needed, open=ask)


_ENV_FILE = re.compile(r" --env-file(?:=| +)(\S+)")


def _without_env_file(folder: Path, start: str) -> tuple[str, str]:
    """The start script without a file of variables that is not there, as such files are not
    committed; and what then has to be said."""
    found = _ENV_FILE.search(start)
    if found is None or (folder / found[1]).is_file():
        return start, ""
    return _ENV_FILE.sub("", start), f"there is no {found[1]}: set its variables in `env`"


def _node_tool(folder: Path, package: dict[str, Any]) -> tuple[str, str]:
    """The package manager and how it installs; by the lock file."""
    if (folder / "pnpm-lock.yaml").is_file():
        return "pnpm", "pnpm install --frozen-lockfile"
    if (folder / "yarn.lock").is_file():
        return "yarn", "yarn install --frozen-lockfile"
    if (folder / "package-lock.json").is_file() or (folder / "npm-shrinkwrap.json").is_file():
        return "npm", "npm ci --no-audit --no-fund"
    needs = package.get("dependencies") or package.get("devDependencies")
    return "npm", "npm install --no-audit --no-fund" if needs else ""


_PYTHON_APP = re.compile(
    r"^(\w+)\s*(?::[^=\n]+)?=\s*(?:\w+\.)?(FastAPI|Starlette|Litestar|Quart|Flask)\(", re.MULTILINE
)
_FLASK_FACTORY = re.compile(r"^def (create_app|make_app)\(.*?\bFlask\(", re.MULTILINE | re.DOTALL)
_ASGI = frozenset({"FastAPI", "Starlette", "Litestar", "Quart"})


def _python(folder: Path) -> Recognised | None:
    names = ("requirements.txt", "pyproject.toml", "setup.py", "Pipfile")
    manifest = next((name for name in names if (folder / name).is_file()), None)
    if manifest is None:
        return None
    build = ["${PYTHON} -m venv .venv"]
    if manifest == "requirements.txt":
        build.append(".venv/bin/pip install --quiet -r requirements.txt")
    else:
        build.append(".venv/bin/pip install --quiet .")
    needs = "\n".join(_text(folder / name).lower() for name in names)
    run, ask = _python_run(folder, needs)
    return Recognised(manifest, "python", tuple(build), run, ("python",), open=ask)


def _python_run(folder: Path, needs: str) -> tuple[str, str]:
    if (folder / "manage.py").is_file():
        module = re.search(r"[\"']([\w.]+)\.settings[\"']", _text(folder / "manage.py"))
        if module and "gunicorn" in needs:
            return f".venv/bin/gunicorn {module[1]}.wsgi --bind 127.0.0.1:${{PORT}}", ""
        run = ".venv/bin/python manage.py runserver --noreload 127.0.0.1:${PORT}"
        return run, "Django's own server is not for production; name the one you use"
    for path in _python_files(folder):
        name, kind = _python_app(_text(path))
        if not name:
            continue
        where = ".".join(path.relative_to(folder).with_suffix("").parts).removeprefix("src.")
        app = f"{where.removesuffix('.__init__')}:{name}"
        app = f"'{app}'" if "(" in app else app
        if kind in _ASGI and "uvicorn" in needs:
            return f".venv/bin/uvicorn {app} --port ${{PORT}} --log-level warning", ""
        if kind not in _ASGI and "gunicorn" in needs:
            return f".venv/bin/gunicorn {app} --bind 127.0.0.1:${{PORT}}", ""
        if kind == "Flask":
            run = f".venv/bin/flask --app {app} run --port ${{PORT}}"
            return run, "Flask's own server is not for production; name the one you use"
    names = ("main.py", "app.py", "server.py")
    main = next((name for name in names if (folder / name).is_file()), "")
    if main:
        return f".venv/bin/python {main}", ""
    return "", "no application found; set the start command"


def _python_app(text: str) -> tuple[str, str]:
    """What a module calls its application, or how it makes it, and the framework's class."""
    if found := _PYTHON_APP.search(text):
        return found[1], found[2]
    factory = _FLASK_FACTORY.search(text)
    return (f"{factory[1]}()", "Flask") if factory else ("", "")


def _python_files(folder: Path) -> list[Path]:
    likely = ("main.py", "app.py", "server.py", "wsgi.py", "asgi.py", "application.py")
    found = [folder / name for name in likely]
    for pattern in ("*/{}", "src/*/{}"):
        found += [path for name in likely for path in sorted(folder.glob(pattern.format(name)))]
    found += sorted([*folder.glob("*/__init__.py"), *folder.glob("src/*/__init__.py")])
    return [path for path in found if path.is_file() and ".venv" not in path.parts]


def _go(folder: Path) -> Recognised | None:
    if not (folder / "go.mod").is_file():
        return None
    commands = sorted({path.parent for path in folder.glob("cmd/*/*.go")})
    package, ask = ".", ""
    if not any(_says(path, r"^package main\b") for path in folder.glob("*.go")):
        if commands:
            package = f"./cmd/{commands[0].name}"
        if len(commands) != 1:
            ask = "name the package that is the service" if commands else "no package main found"
    return Recognised(
        "go.mod", "go", (f"go build -o service {package}",), "./service", ("go",), open=ask
    )


def _rust(folder: Path) -> Recognised | None:
    path = folder / "Cargo.toml"
    if not path.is_file():
        return None
    cargo = _toml(path)
    package = _table(cargo.get("package"))
    binaries = [_table(one) for one in cargo.get("bin", []) if isinstance(one, dict)]
    names = [str(one.get("name", "")) for one in binaries] or [str(package.get("name", ""))]
    name = str(package.get("default-run") or names[0])
    ask = "" if name else "a workspace; name the binary that is the service"
    run = f"target/release/{name}" if name else ""
    return Recognised("Cargo.toml", "rust", ("cargo build --release",), run, ("cargo",), open=ask)


def _maven(folder: Path) -> Recognised | None:
    if not (folder / "pom.xml").is_file():
        return None
    tool = "./mvnw" if (folder / "mvnw").is_file() else "mvn"
    build = f"{tool} --batch-mode --quiet -DskipTests package"
    needed = ("java",) if tool == "./mvnw" else ("java", "mvn")
    run = "java -jar target/*.jar"
    if _says(folder / "pom.xml", r"quarkus"):
        run = "java -Dquarkus.http.port=${PORT} -jar target/quarkus-app/quarkus-run.jar"
    elif _says(folder / "pom.xml", r"org\.springframework\.boot"):
        run += " --server.port=${PORT}"
    return Recognised("pom.xml", "java", (build,), run, needed)


def _gradle(folder: Path) -> Recognised | None:
    names = ("build.gradle.kts", "build.gradle", "settings.gradle.kts", "settings.gradle")
    manifest = next((name for name in names if (folder / name).is_file()), None)
    if manifest is None:
        return None
    tool = "./gradlew" if (folder / "gradlew").is_file() else "gradle"
    spring = _says(folder / manifest, r"org\.springframework\.boot")
    language = "kotlin" if (folder / "src/main/kotlin").is_dir() else "java"
    task = "bootJar" if spring else "installDist"
    run = "java -jar build/libs/*.jar --server.port=${PORT}" if spring else "build/install/*/bin/*"
    ask = "" if spring else "check that `run` names the start script"
    return Recognised(
        manifest, language, (f"{tool} --no-daemon --quiet {task}",), run, ("java",), open=ask
    )


def _php(folder: Path) -> Recognised | None:
    path = folder / "composer.json"
    if not path.is_file():
        return None
    root = "public" if (folder / "public").is_dir() else "."
    build = "composer install --no-dev --no-interaction --quiet --optimize-autoloader"
    run = f"php -d opcache.enable_cli=1 -S 127.0.0.1:${{PORT}} -t {root}"
    writes = (folder / "artisan").is_file() or (folder / "var").is_dir()
    ask = "PHP's own server is not for production; name the one you use"
    return Recognised("composer.json", "php", (build,), run, ("php",), writes, ask)


def _ruby(folder: Path) -> Recognised | None:
    path = folder / "Gemfile"
    if not path.is_file():
        return None
    rails = (folder / "config/application.rb").is_file()
    if rails:
        run, ask = "bundle exec rails server --port ${PORT} --binding 127.0.0.1", ""
    elif (folder / "config.ru").is_file():
        puma = _says(path, r"^\s*gem\s+[\"']puma[\"']")
        server = "puma --bind tcp://127.0.0.1:${PORT}" if puma else "rackup --port ${PORT}"
        run, ask = f"bundle exec {server}", ""
    else:
        run, ask = "", "no config.ru; set the start command"
    return Recognised("Gemfile", "ruby", ("bundle install --quiet",), run, (), rails, ask)


def _swift(folder: Path) -> Recognised | None:
    path = folder / "Package.swift"
    if not path.is_file():
        return None
    named = re.findall(r"\.executableTarget\(\s*name:\s*\"([^\"]+)\"", _text(path))
    run = f".build/release/{named[0]}" if named else ""
    ask = "" if len(named) == 1 else "name the executable that is the service"
    return Recognised(
        "Package.swift", "swift", ("swift build -c release",), run, ("swift",), open=ask
    )


_KINDS: tuple[Callable[[Path], Recognised | None], ...] = (
    _node, _python, _go, _rust, _maven, _gradle, _php, _ruby, _swift,
)  # fmt: skip


def _json(path: Path) -> dict[str, Any]:
    try:
        return _table(json.loads(_text(path)))
    except (ValueError, RecursionError):
        return {}


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(_text(path))
    except (ValueError, RecursionError):
        return {}


def _table(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _says(path: Path, pattern: str) -> bool:
    return re.search(pattern, _text(path), re.MULTILINE) is not None
