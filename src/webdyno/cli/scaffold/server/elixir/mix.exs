defmodule Server.MixProject do
  use Mix.Project

  def project do
    [
      app: :server,
      version: "1.0.0",
      elixir: "~> 1.14",
      start_permanent: Mix.env() == :prod,
      deps: [{:bandit, "== 1.11.1"}, {:plug, "== 1.19.2"}]
    ]
  end

  def application do
    [mod: {Server.Application, []}, extra_applications: [:logger]]
  end
end
