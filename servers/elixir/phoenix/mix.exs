defmodule Site.MixProject do
  use Mix.Project

  def project do
    [
      app: :site,
      version: "1.0.0",
      elixir: "~> 1.14",
      start_permanent: Mix.env() == :prod,
      deps: deps()
    ]
  end

  def application do
    [
      mod: {Site.Application, []},
      extra_applications: [:logger, :runtime_tools]
    ]
  end

  defp deps do
    [
      {:phoenix, "== 1.7.24"},
      # The last release for every Elixir 1.14: 1.0 needs 1.14.1. Of it, only the templates are used.
      {:phoenix_live_view, "== 0.20.17"},
      {:phoenix_html, "== 4.3.0"},
      # The last release that compiles with Elixir 1.14.0, Debian 12's.
      {:bandit, "== 1.11.1"},
      {:plug, "== 1.19.2"},
      {:plug_cowboy, "== 2.7.5"},
      {:websock_adapter, "== 0.5.9"},
      {:jason, "== 1.4.5"},
      {:ecto_sql, "== 3.13.5"},
      {:postgrex, "== 0.21.1"},
      {:myxql, "== 0.8.0"}
      | transitive()
    ]
  end

  # What the others need: without a lock file, this is what makes every build the same.
  defp transitive do
    [
      {:castore, "== 1.0.19"},
      {:cowboy, "== 2.14.2"},
      {:cowboy_telemetry, "== 0.4.0"},
      {:cowlib, "== 2.16.0"},
      {:db_connection, "== 2.10.2"},
      {:decimal, "== 2.4.1"},
      {:ecto, "== 3.13.6"},
      {:hpax, "== 1.0.3"},
      {:mime, "== 2.0.7"},
      {:phoenix_pubsub, "== 2.2.0"},
      {:phoenix_template, "== 1.0.4"},
      {:plug_crypto, "== 2.1.1"},
      {:ranch, "== 2.2.0"},
      {:telemetry, "== 1.4.1"},
      {:thousand_island, "== 1.5.0"},
      {:websock, "== 0.5.3"}
    ]
  end
end
