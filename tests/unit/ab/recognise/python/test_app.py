"""A service in Python: its application, how that is imported, and what serves it."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.recognised import write
from webdyno.ab.recognise import recognise

MADE = "def make() -> FastAPI:\n    app = FastAPI()\n    return app\n"
GUNICORN = ".venv/bin/gunicorn {} --bind 127.0.0.1:${{PORT}}"
UVICORN = ".venv/bin/uvicorn {} --port ${{PORT}} --log-level warning"


@pytest.mark.parametrize(
    ("needs", "files", "run"),
    [
        ("fastapi[standard]>=0.1", {"app/main.py": "app = FastAPI()\n"}, "app.main:app"),
        ("litestar[standard]", {"app/main.py": "app = Litestar([])\n"}, "app.main:app"),
        ("uvicorn", {"app/main.py": f"{MADE}\n\nweb = make()\n"}, "app.main:web"),
        ("uvicorn", {"app/main.py": MADE}, "--factory app.main:make"),
        (
            "uvicorn",
            {
                "app/main.py": "def make(\n    debug: bool,\n) -> fastapi.FastAPI:\n    pass\n"
                "\n\nweb = make(True)\n"
            },
            "app.main:web",
        ),
        (
            "uvicorn",
            {
                "main.py": "from shop.web import (\n    make,\n)\n\napp = make()\n",
                "shop/web.py": MADE,
            },
            "main:app",
        ),
        (
            "uvicorn",
            {"app/main.py": "from .web import make\n\napp = make()\n", "app/web/__init__.py": MADE},
            "app.main:app",
        ),
        (
            "uvicorn",
            {"app/main.py": MADE.replace("make", "create_app")},
            "--factory app.main:create_app",
        ),
        (
            "uvicorn",
            {"main.py": "def tool():\n    pass\n", "server.py": "app = FastAPI()\n"},
            "server:app",
        ),
        (
            "flask gunicorn",
            {
                "wsgi.py": "from shop import create_app\n\napp = create_app()\n",
                "shop/__init__.py": "def create_app(name='x'):\n    return Flask(name)\n",
            },
            "wsgi:app",
        ),
        (
            "flask gunicorn",
            {"shop/__init__.py": "def create_app(name='x'):\n    app = Flask(name)\n"},
            "'shop:create_app()'",
        ),
        (
            "flask gunicorn",
            {
                "app.py": "def create_app(name):\n    return Flask(name)\n",
                "wsgi.py": "from app import create_app\n\nweb = create_app('x')\n",
            },
            "wsgi:web",
        ),
    ],
)
def test_an_application_is_found_where_frameworks_put_it(
    tmp_path: Path, needs: str, files: dict[str, str], run: str
) -> None:
    write(tmp_path, {"requirements.txt": needs.replace(" ", "\n"), **files})
    found = recognise(tmp_path)
    assert found is not None
    server = GUNICORN if "gunicorn" in needs else UVICORN
    assert (found.run, found.open, found.env) == (server.format(run), "", {})


PLAIN = '[project]\nname = "x"\ndependencies = ["flask", "gunicorn"]\n'
BUILT = f'{PLAIN}[build-system]\nrequires = ["hatchling"]\n'
SRC = {"PYTHONPATH": "src"}


@pytest.mark.parametrize(
    ("manifests", "module", "app", "env"),
    [
        ({"requirements.txt": "flask\ngunicorn"}, "src/main.py", "main", SRC),
        ({"requirements.txt": "flask\ngunicorn"}, "src/app/main.py", "app.main", SRC),
        ({"requirements.txt": "flask\ngunicorn"}, "src/app/__init__.py", "app", SRC),
        ({"requirements.txt": "flask\ngunicorn"}, "src/__init__.py", "src", {}),
        ({"requirements.txt": "gunicorn\n-e ."}, "src/app/main.py", "app.main", {}),
        ({"requirements.txt": "gunicorn", "pyproject.toml": BUILT}, "src/main.py", "main", SRC),
        ({"pyproject.toml": BUILT}, "src/app/main.py", "app.main", {}),
        ({"pyproject.toml": BUILT, "uv.lock": ""}, "src/app/main.py", "app.main", {}),
        ({"pyproject.toml": PLAIN, "uv.lock": ""}, "src/app/main.py", "app.main", SRC),
        (
            {"pyproject.toml": f"{BUILT}[tool.uv]\npackage = false\n", "uv.lock": ""},
            "src/app/main.py", "app.main", SRC,
        ),
        ({"pyproject.toml": BUILT, "poetry.lock": ""}, "src/app/main.py", "app.main", {}),
        (
            {"pyproject.toml": f"{BUILT}[tool.poetry]\npackage-mode = false\n", "poetry.lock": ""},
            "src/app/main.py", "app.main", SRC,
        ),
        (
            {"pyproject.toml": f"{PLAIN}[tool.pdm]\ndistribution = false\n", "pdm.lock": ""},
            "src/app/main.py", "app.main", SRC,
        ),
        (
            {"Pipfile": '[packages]\ngunicorn = "*"\n', "Pipfile.lock": ""},
            "src/app/main.py", "app.main", SRC,
        ),
    ],
)  # fmt: skip
def test_a_module_below_src_is_found_where_it_is_imported(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    manifests: dict[str, str],
    module: str,
    app: str,
    env: dict[str, str],
) -> None:
    for program in ("uv", "poetry", "pdm", "pipenv"):
        write(tmp_path / "bin", {program: "#!/bin/sh\n"})
        (tmp_path / "bin" / program).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    here = tmp_path / "here"
    write(here, {**manifests, module: "app = Flask(__name__)\n"})
    found = recognise(here)
    assert found is not None
    assert (found.run, found.env) == (GUNICORN.format(f"{app}:app"), env)


@pytest.mark.parametrize(
    ("module", "imports", "app", "env"),
    [
        ("src/main.py", "from src.api import x", "src.main", {}),
        ("src/main.py", "import src.api", "src.main", {}),
        ("src/main.py", "from .api import x", "src.main", {}),
        ("src/app/main.py", "from .api import x", "app.main", SRC),
        ("src/app/main.py", "from ..api import x", "src.app.main", {}),
        ("src/app/__init__.py", "from .api import x", "app", SRC),
        ("src/main.py", "from srcs import x", "main", SRC),
    ],
)
def test_a_src_that_is_a_package_itself_is_left_in_the_name(
    tmp_path: Path, module: str, imports: str, app: str, env: dict[str, str]
) -> None:
    files = {"requirements.txt": "gunicorn", module: f"{imports}\n\napp = Flask(__name__)\n"}
    write(tmp_path, files)
    found = recognise(tmp_path)
    assert found is not None
    assert (found.run, found.env) == (GUNICORN.format(f"{app}:app"), env)


ASGI_APP = {"main.py": "app = FastAPI()\n"}
POETRY = "[build-system]\n[tool.poetry.dependencies]\npython = '^3.11'\n"
NONE = "its manifest names no ASGI server; name the one you use"


@pytest.mark.parametrize(
    ("files", "run"),
    [
        (
            {"pyproject.toml": f'{POETRY}fastapi = {{extras = ["standard"], version = "^0.1"}}\n'},
            UVICORN.format("main:app"),
        ),
        (
            {"pyproject.toml": f'{POETRY}[tool.poetry.dependencies.fastapi]\nextras = ["all"]\n'},
            UVICORN.format("main:app"),
        ),
        ({"pyproject.toml": f'{POETRY}fastapi = {{extras = ["other"]}}\n'}, ""),
        (
            {
                "requirements.txt": "-r requirements/prod.txt\n",
                "requirements/prod.txt": "--requirement=base.txt  # all\n-r prod.txt\n",
                "requirements/base.txt": "fastapi\nuvicorn\n",
            },
            UVICORN.format("main:app"),
        ),
        ({"requirements.txt": "fastapi  # with uvicorn\n# uvicorn\n"}, ""),
        (
            {"setup.py": "", "setup.cfg": "install_requires =\n  uvicorn\n"},
            UVICORN.format("main:app"),
        ),
        (
            {"requirements.txt": "fastapi\nhypercorn\n"},
            ".venv/bin/hypercorn main:app --bind 127.0.0.1:${PORT}",
        ),
        (
            {"requirements.txt": "quart\n", "main.py": "def create_app():\n    app = Quart(1)\n"},
            ".venv/bin/hypercorn 'main:create_app()' --bind 127.0.0.1:${PORT}",
        ),
        (
            {
                "requirements.txt": "granian\n",
                "main.py": "def create_app():\n    app = FastAPI()\n",
            },
            ".venv/bin/granian --interface asgi --factory main:create_app --port ${PORT}",
        ),
        ({"requirements.txt": "fastapi\n"}, ""),
        ({"requirements.txt": "fastapi\n", "src/main.py": "app = FastAPI()\n"}, ""),
        (
            {
                "requirements.txt": "ours\n",
                "main.py": "app = FastAPI()\n\nours.run(app)\n",
            },
            ".venv/bin/python main.py",
        ),
    ],
)
def test_what_serves_an_asgi_application_is_found_or_asked_for(
    tmp_path: Path, files: dict[str, str], run: str
) -> None:
    write(tmp_path, {**ASGI_APP, **files})
    found = recognise(tmp_path)
    assert found is not None
    assert found.run == run
    assert [line for line in found.to_do if line == NONE] == ([] if run else [NONE])


def test_drivers_in_an_included_file_are_seen(tmp_path: Path) -> None:
    write(tmp_path, {"requirements.txt": "-r more.txt\n# pymysql\n", "more.txt": "psycopg\n"})
    found = recognise(tmp_path)
    assert found is not None
    assert found.services == ("postgresql",)


HATCH = """[project]
name = "shop"
dependencies = [{needs}]
[build-system]
requires = ["hatchling"]
[tool.hatch.build.targets.wheel]
packages = ["lib/py/shop"]
[[tool.mypy.overrides]]
module = ["uvicorn.*"]
"""


def test_a_package_is_found_where_its_build_backend_is_told(tmp_path: Path) -> None:
    files = {
        "pyproject.toml": HATCH.format(needs='"litestar", "litestar-granian"'),
        "lib/py/shop/server/asgi.py": "def create_app() -> Litestar:\n    return made()\n",
    }
    write(tmp_path, files)
    found = recognise(tmp_path)
    assert found is not None
    # What other tools are told names no server.
    assert found.run == (
        ".venv/bin/granian --interface asgi --factory shop.server.asgi:create_app --port ${PORT}"
    )
    assert "PYTHONPATH" not in found.env


RUNS = "web.run_app(make(), port=settings.port)\n"
IS_PROGRAM = f"if __name__ == '__main__':\n    {RUNS}"


@pytest.mark.parametrize(
    ("files", "run", "env"),
    [
        ({"shop/__main__.py": RUNS}, "-m shop", {}),
        ({"src/shop/__main__.py": "main()\n", "src/shop/web.py": RUNS}, "-m shop",
         {"PYTHONPATH": "src"}),
        ({"shop/main.py": IS_PROGRAM}, "-m shop.main", {}),
        ({"shop/__main__.py": "asyncio.run(main())\n"}, "", {}),
        ({"shop/main.py": f"def main():\n    {RUNS}"}, "", {}),
        ({"shop/__main__.py": RUNS, "tool/__main__.py": RUNS}, "", {}),
        ({"tests/__main__.py": RUNS, "shop/__main__.py": "print(1)\n"}, "", {}),
    ],
)  # fmt: skip
def test_a_package_that_serves_by_itself_is_started(
    tmp_path: Path, files: dict[str, str], run: str, env: dict[str, str]
) -> None:
    write(tmp_path, {"requirements.txt": "aiohttp\n", **files})
    found = recognise(tmp_path)
    assert found is not None
    assert (found.run, found.env) == (f".venv/bin/python {run}" if run else "", env)
