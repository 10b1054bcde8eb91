"""What a Hanami application is told of what its settings ask its environment for."""

from __future__ import annotations

from pathlib import Path

from support.recognised import found_in, write
from webdyno.ab.recognise.recognised import KEY
from webdyno.ab.recognise.settings.hanami_settings import hanami_settings

SETTINGS = """
module Shop
  class Settings < Hanami::Settings
    setting :mail_url, constructor: Types::String
    setting :pool_size, default: 5, constructor: Types::Params::Integer
    setting :sentry_dsn, constructor: Types::String.optional
    setting :region
    setting :log_to,
      constructor: Types::String,
      default: "stdout"
    setting :levels, constructor: ->(text) { text.to_s.split(",") }
    # setting :old_key, constructor: Types::String
    setting :session_secret, constructor: Types::String # long
    setting(:db_url, constructor: Types::String)
  end
end
"""

APPLICATION = {
    "Gemfile": "gem 'hanami', '~> 2.2'\ngem \"puma\"\ngem 'pg'\n",
    "config.ru": "",
    "config/db/migrate/1_a.rb": "",
    "config/settings.rb": SETTINGS,
}


def test_settings_are_variables_of_which_some_may_lack(tmp_path: Path) -> None:
    write(tmp_path, APPLICATION)
    found = hanami_settings(tmp_path)
    assert found.keys() == {
        "MAIL_URL", "POOL_SIZE", "SENTRY_DSN", "REGION", "LOG_TO", "LEVELS", "SESSION_SECRET",
        "DB_URL",
    }  # fmt: skip
    assert {name for name, needed in found.items() if needed} == {
        "MAIL_URL", "SESSION_SECRET", "DB_URL",
    }  # fmt: skip


def test_those_of_other_frameworks_are_none(tmp_path: Path) -> None:
    write(tmp_path, {**APPLICATION, "Gemfile": "gem 'rack'\n"})
    assert hanami_settings(tmp_path) == {}


def test_it_is_told_its_database_and_a_key_and_asks_for_the_rest(tmp_path: Path) -> None:
    slice_ = "class Settings\n  setting :api_token, constructor: Types::String\nend\n"
    found = found_in(tmp_path, {**APPLICATION, "slices/admin/config/settings.rb": slice_})
    assert found.env["SESSION_SECRET"] == KEY
    assert found.env["DB_URL"] == "${DATABASE_URL}"
    assert found.other_to_do == (
        "its settings require MAIL_URL and API_TOKEN: set them in `env`",
    )  # fmt: skip
