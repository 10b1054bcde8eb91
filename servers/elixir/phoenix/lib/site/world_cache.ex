defmodule Site.WorldCache do
  @moduledoc "Rows of the table world in an ETS table, each for `ttl_ms` milliseconds."

  use GenServer

  alias Site.{Repo, World}

  def start_link(_), do: GenServer.start_link(__MODULE__, nil, name: __MODULE__)

  @doc "The row of `id`, read again where it is missing or too old."
  def fetch!(id) do
    now = System.monotonic_time(:millisecond)

    case :ets.lookup(__MODULE__, id) do
      [{^id, until, world}] when now < until -> world
      _ -> read!(id, now)
    end
  end

  defp read!(id, now) do
    world = Repo.get!(World, id)
    :ets.insert(__MODULE__, {id, now + Application.fetch_env!(:site, :ttl_ms), world})
    world
  end

  # The process owns the table; requests read and write it themselves.
  @impl true
  def init(nil) do
    :ets.new(__MODULE__, [:named_table, :public, read_concurrency: true])
    {:ok, nil}
  end
end
