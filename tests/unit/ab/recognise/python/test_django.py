"""A project of Django, wherever its `manage.py` is, is told what its settings want."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.recognised import FLASK, found_in
from webdyno.ab.recognise.recognised import KEY

SETS = 'os.environ.setdefault("DJANGO_SETTINGS_MODULE", "{}")\n'


def project(settings: str, place: str = "", needs: str = "django\ngunicorn\n") -> dict[str, str]:
    return {
        "requirements.txt": needs,
        f"{place}manage.py": SETS.format("shop.settings"),
        f"{place}shop/settings.py": settings,
        f"{place}shop/wsgi.py": SETS.format("shop.settings"),
    }


@pytest.mark.parametrize(
    ("settings", "env"),
    [
        ('SECRET_KEY = os.environ["APP_KEY"]\n', {"APP_KEY": KEY}),
        ('SECRET_KEY = env("DJANGO_KEY")\n', {"DJANGO_KEY": KEY}),
        ('SECRET_KEY = env("DJANGO_KEY", default="x")\n', {}),
        ('SECRET_KEY = "literal"\n', {}),
        (
            'ALLOWED_HOSTS = os.environ.get("HOSTS", "").split(",")\n',
            {"HOSTS": "127.0.0.1"},
        ),
        ('ALLOWED_HOSTS = env.list("HOSTS")\n', {"HOSTS": "127.0.0.1"}),
    ],
)
def test_what_its_settings_read(tmp_path: Path, settings: str, env: dict[str, str]) -> None:
    found = found_in(tmp_path, project(settings))
    assert (found.env, found.to_do) == (env, ())


@pytest.mark.parametrize(
    ("hosts", "asks"),
    [
        ('["shop.example"]', True),
        ('["shop.example", "localhost", "127.0.0.1"]', False),
        ('["*"]', False),
        ("[]", False),
    ],
)
def test_hosts_that_refuse_the_load_are_told(tmp_path: Path, hosts: str, asks: bool) -> None:
    found = found_in(tmp_path, project(f"ALLOWED_HOSTS = {hosts}\n"))
    assert ('headers = { Host = "shop.example" }' in " ".join(found.to_do)) is asks


def test_a_manifest_of_static_files_is_told(tmp_path: Path) -> None:
    storage = 'STORAGES = {{"staticfiles": {{"BACKEND": "whitenoise.storage.{}"}}}}\n'
    settings = storage.format("CompressedManifestStaticFilesStorage")
    (told,) = found_in(tmp_path, project(settings)).to_do
    assert "end `build` with `.venv/bin/python manage.py collectstatic --noinput`" in told
    assert found_in(tmp_path, project(storage.format("CompressedStaticFilesStorage"))).to_do == ()
    hosts = 'ALLOWED_HOSTS = ["shop.example"]\n'
    (told,) = found_in(tmp_path, project(settings + hosts)).to_do
    assert "refuse 127.0.0.1" in told
    assert "; its pages need a manifest" in told


def test_a_project_in_a_folder_below_is_served_there(tmp_path: Path) -> None:
    files = project("DATABASES = {}\n", "back end/", "django\ngunicorn\npsycopg\n")
    found = found_in(tmp_path, files)
    assert found.run == (".venv/bin/gunicorn --chdir 'back end' shop.wsgi --bind 127.0.0.1:${PORT}")
    assert found.prepare == (".venv/bin/python 'back end/manage.py' migrate --noinput",)


@pytest.mark.parametrize("place", ["", "shop/"])
def test_a_manage_py_of_others_makes_no_project_of_django(tmp_path: Path, place: str) -> None:
    files = {
        "requirements.txt": "flask\n",
        f"{place}manage.py": "'shop.settings'  # As Django has it\n",
    }
    assert found_in(tmp_path, {**files, "wsgi.py": FLASK}).run.startswith(".venv/bin/flask")


def test_the_settings_for_production_are_those_of_its_server(tmp_path: Path) -> None:
    files = {
        "requirements/base.txt": "django\n",
        "requirements/production.txt": "-r base.txt\ngunicorn\n",
        "pyproject.toml": "[tool.ruff]\n",
        "manage.py": SETS.format("config.settings.local"),
        "config/wsgi.py": SETS.format("config.settings.production"),
        "config/settings/local.py": 'SECRET_KEY = env("OTHER_KEY")\n',
        "config/settings/production.py": 'SECRET_KEY = env("KEY")\n',
    }
    found = found_in(tmp_path, files)
    assert found.manifest == "requirements/production.txt"
    assert found.build[-1] == ".venv/bin/pip install --quiet -r requirements/production.txt"
    assert found.run == ".venv/bin/gunicorn config.wsgi --bind 127.0.0.1:${PORT}"
    assert found.env == {"DJANGO_SETTINGS_MODULE": "config.settings.production", "KEY": KEY}


def test_an_application_may_be_a_package(tmp_path: Path) -> None:
    files = {**project("", needs="django\nuvicorn\n"), "shop/asgi/__init__.py": ""}
    assert found_in(tmp_path, files).run.startswith(".venv/bin/uvicorn shop.asgi:application ")
