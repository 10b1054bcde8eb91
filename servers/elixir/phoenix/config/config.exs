import Config

config :site, SiteWeb.Endpoint,
  url: [host: "localhost"],
  render_errors: [formats: [html: SiteWeb.ErrorHTML, json: SiteWeb.ErrorJSON], layout: false]

config :logger, level: :info

# To stderr: the first line is for Elixir 1.14, the second for later ones.
config :logger, :console, device: :standard_error
config :logger, :default_handler, config: [type: :standard_error]

config :phoenix, :json_library, Jason
