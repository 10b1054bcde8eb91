import Config

alias Site.Environment

if System.get_env("PHX_SERVER") do
  config :site, SiteWeb.Endpoint, server: true
end

scenario = Environment.scenario()

{:ok, address} =
  "HOST" |> System.get_env("127.0.0.1") |> String.to_charlist() |> :inet.parse_address()

# Longer than the 60 s usual in proxies, so that the client closes first.
idle_ms = 75_000

{adapter, options} =
  case Environment.adapter() do
    "bandit" ->
      {Bandit.PhoenixAdapter,
       thousand_island_options: [read_timeout: idle_ms, shutdown_timeout: 1_000]}

    "cowboy" ->
      {Phoenix.Endpoint.Cowboy2Adapter,
       protocol_options: [idle_timeout: idle_ms, max_keepalive: :infinity]}
  end

config :site, SiteWeb.Endpoint,
  adapter: adapter,
  http: [ip: address, port: Environment.number("PORT")] ++ options,
  drainer: [shutdown: 1_000],
  secret_key_base: System.get_env("WEBDYNO_SECRET")

config :site,
  router: scenario.router,
  services: scenario.services,
  middlewares: Environment.number("WEBDYNO_MIDDLEWARE", 0),
  ttl_ms: Environment.number("WEBDYNO_TTL_MS", 500),
  file: System.get_env("WEBDYNO_FILE"),
  blog: System.get_env("WEBDYNO_BLOG_DATA"),
  static: Environment.static_folder(),
  candidates: "WEBDYNO_SKUS" |> System.get_env("") |> String.split(",")

pool = [
  pool_size: Environment.number("WEBDYNO_POOL", 16),
  # Requests wait for a connection. By default they fail once that has taken over 50 ms for a second.
  queue_target: 5_000,
  queue_interval: 5_000
]

config :site, Site.Repo, [url: System.get_env("DATABASE_URL")] ++ pool

config :site,
       Site.MariaRepo,
       [
         hostname: System.get_env("MYSQL_HOST"),
         port: Environment.number("MYSQL_PORT", 3306),
         username: System.get_env("MYSQL_USER"),
         password: System.get_env("MYSQL_PASSWORD", ""),
         database: System.get_env("MYSQL_DATABASE")
       ] ++ pool
