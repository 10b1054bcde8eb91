defmodule Server.Application do
  @moduledoc "Serves the scenario that WEBDYNO_SCENARIO names."

  use Application

  @routers %{"hello" => Server.Router}

  @impl true
  def start(_type, _args) do
    {:ok, address} =
      "HOST" |> System.get_env("127.0.0.1") |> String.to_charlist() |> :inet.parse_address()

    server =
      {Bandit,
       plug: router(System.get_env("WEBDYNO_SCENARIO", "")),
       ip: address,
       port: System.fetch_env!("PORT")}

    Supervisor.start_link([server], strategy: :one_for_one)
  end

  defp router(scenario) do
    with nil <- @routers[scenario] do
      IO.puts(
        :stderr,
        "WEBDYNO_SCENARIO is '#{scenario}'; one of: #{Enum.join(Map.keys(@routers), ", ")}"
      )

      System.halt(2)
    end
  end
end
