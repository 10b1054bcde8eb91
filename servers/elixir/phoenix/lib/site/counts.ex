defmodule Site.Counts do
  @moduledoc "What the process has seen: requests, and middlewares that they passed."

  @requests 1
  @passed 2

  def child_spec(_), do: %{id: __MODULE__, start: {__MODULE__, :start_link, []}}

  @doc "Makes the counters; they stay where every process reaches them without a copy."
  def start_link do
    :persistent_term.put(__MODULE__, :counters.new(2, [:atomics]))
    :ignore
  end

  @doc "Counts a middleware that a request has passed."
  def pass, do: :counters.add(counters(), @passed, 1)

  @doc "Counts a request, and tells what the process has seen, that one included."
  def receive_one do
    :counters.add(counters(), @requests, 1)
    %{requests: :counters.get(counters(), @requests), passed: :counters.get(counters(), @passed)}
  end

  defp counters, do: :persistent_term.get(__MODULE__)
end
