import Config

# To stderr: the first line is for Elixir 1.14, the second for later ones.
config :logger, :console, device: :standard_error
config :logger, :default_handler, config: [type: :standard_error]
