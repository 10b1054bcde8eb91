defmodule Site.Environment do
  @moduledoc """
  What environment variables say, for `config/runtime.exs`.

  The server ends with a line on stderr where one is missing.
  """

  alias Site.{Counts, Library, MariaRepo, Repo, WorldCache}
  alias SiteWeb.Routers

  @postgresql ["DATABASE_URL"]
  @mariadb ~w(MYSQL_HOST MYSQL_PORT MYSQL_USER MYSQL_DATABASE)

  # By scenario: its router, what it starts before the endpoint, the variables that it needs.
  @scenarios %{
    "hello" => {Routers.Hello, [], []},
    "middleware" => {Routers.Middleware, [Counts], ["WEBDYNO_MIDDLEWARE"]},
    "json" => {Routers.Json, [], []},
    "blog" => {Routers.Blog, [Library], ["WEBDYNO_BLOG_DATA"]},
    "static" => {Routers.Static, [], ["WEBDYNO_STATIC"]},
    "sha256" => {Routers.Sha256, [], ["WEBDYNO_FILE"]},
    "upload" => {Routers.Upload, [], []},
    "stream" => {Routers.Stream, [], []},
    "sse" => {Routers.Sse, [], []},
    "websocket-echo" => {Routers.WebsocketEcho, [], []},
    "session-counter" => {Routers.SessionCounter, [Repo], ["WEBDYNO_SECRET" | @postgresql]},
    "page" => {Routers.Page, [Repo], @postgresql},
    "queries" => {Routers.Queries, [Repo], @postgresql},
    "updates" => {Routers.Updates, [Repo], @postgresql},
    "fortunes" => {Routers.Fortunes, [Repo], @postgresql},
    "cached" => {Routers.Cached, [Repo, WorldCache], @postgresql},
    "point-lookup" => {Routers.PointLookup, [MariaRepo], ["WEBDYNO_SKUS" | @mariadb]}
  }

  @doc "The router of the scenario that WEBDYNO_SCENARIO names, and the services it starts."
  def scenario do
    name = System.get_env("WEBDYNO_SCENARIO", "")

    case @scenarios do
      %{^name => {router, services, needed}} ->
        Enum.each(needed, &present/1)
        %{router: router, services: services}

      known ->
        names = known |> Map.keys() |> Enum.join(", ")
        refuse("WEBDYNO_SCENARIO is '#{name}': set it to one of #{names}")
    end
  end

  @doc "The HTTP server below Phoenix: bandit or cowboy."
  def adapter do
    # Bandit closes a WebSocket on a fragment without bytes.
    default =
      if System.get_env("WEBDYNO_SCENARIO") == "websocket-echo", do: "cowboy", else: "bandit"

    adapter = System.get_env("PHX_ADAPTER", default)

    if adapter in ["bandit", "cowboy"],
      do: adapter,
      else: refuse("PHX_ADAPTER is '#{adapter}': set it to bandit or cowboy")
  end

  @doc "The whole number in a variable."
  def number(name, default \\ nil) do
    text = System.get_env(name) || (default && to_string(default)) || present(name)

    case Integer.parse(text) do
      {number, ""} -> number
      _ -> refuse("#{name} is '#{text}': set it to a whole number")
    end
  end

  @doc "The folder whose files are served."
  def static_folder do
    blog = System.get_env("WEBDYNO_BLOG_DATA")
    System.get_env("WEBDYNO_STATIC") || (blog && Path.join(blog, "static"))
  end

  defp present(name),
    do: System.get_env(name) || refuse("the environment variable #{name} is not set")

  defp refuse(message) do
    IO.puts(:stderr, "server: #{message}")
    System.halt(2)
  end
end
