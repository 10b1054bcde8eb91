"""Django in production mode: what the scenario needs, or all that `startproject` mounts."""

import os

SCENARIO = os.environ["WEBDYNO_SCENARIO"]
connections = max(
    1, int(os.environ.get("WEBDYNO_POOL", "16")) // int(os.environ["WEB_CONCURRENCY"])
)

DEBUG = False
# Only the counter signs anything; Django asks for a key anyway.
SECRET_KEY = os.environ.get("WEBDYNO_SECRET", "nothing is signed")
ALLOWED_HOSTS = [os.environ.get("HOST", "127.0.0.1"), "localhost"]

# The application of the scenario with its routes, and the middlewares that it needs.
APP = "apps." + SCENARIO.replace("-", "_")
INSTALLED_APPS = [APP]
ROOT_URLCONF = APP + ".urls"
FILES = ["whitenoise.middleware.WhiteNoiseMiddleware"] if SCENARIO == "blog" else []
WHITENOISE_ROOT = os.environ.get("WEBDYNO_BLOG_DATA", "") + "/static"
SESSIONS = "apps.session_counter.middleware.SignedSessionMiddleware"
COMMON = "django.middleware.common.CommonMiddleware"
MIDDLEWARE = [SESSIONS, COMMON] if SCENARIO == "session-counter" else [*FILES, COMMON]

STARTPROJECT = os.environ.get("MIDDLEWARE") == "startproject"
if STARTPROJECT:
    # In place of django.contrib.sessions, the application whose sessions are in the study's table.
    INSTALLED_APPS = [
        *dict.fromkeys((APP, "apps.session_counter")),
        "django.contrib.admin",
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.messages",
        "django.contrib.staticfiles",
    ]
    MIDDLEWARE = [
        "django.middleware.security.SecurityMiddleware",
        *FILES,
        SESSIONS,
        COMMON,
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
        "django.middleware.clickjacking.XFrameOptionsMiddleware",
    ]
if SCENARIO == "middleware":
    MIDDLEWARE += ["apps.middleware.counts.counting"] * int(os.environ["WEBDYNO_MIDDLEWARE"])
TIME_ZONE = "UTC"
USE_I18N = STARTPROJECT
USE_TZ = True

TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}]

SESSION_ENGINE = "apps.session_counter.sessions"

# Django writes values into the statement's text, and prepares none, unless it is told to.
PREPARE = os.environ.get("STATEMENTS") == "prepared"
PREPARED = {"server_side_binding": True, "prepare_threshold": 5} if PREPARE else {}

# Under ASGI connections cannot be kept by thread; the driver's pool keeps them. By default Django
# opens one for each request.
KEPT = (
    {}
    if os.environ.get("CONNECT") == "each-request"
    else {"pool": {"min_size": connections, "max_size": connections}}
)

# Not asked for by scenarios without a database.
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.postgresql",
        "HOST": os.environ.get("PGHOST"),
        "PORT": os.environ.get("PGPORT"),
        "NAME": os.environ.get("PGDATABASE"),
        "USER": os.environ.get("PGUSER"),
        "OPTIONS": {**KEPT, **PREPARED},
    }
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"stderr": {"class": "logging.StreamHandler"}},
    # Django's own setup tells nobody on stderr of errors when DEBUG is off. An unknown path is
    # the client's error and no reason for a line.
    "loggers": {"django.request": {"handlers": ["stderr"], "level": "ERROR", "propagate": False}},
}
