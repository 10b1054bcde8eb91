defmodule SiteWeb.Middlewares do
  @moduledoc "As many plugs as every request is to pass, a number that is known only at the start."

  @behaviour Plug

  alias SiteWeb.Counting

  @impl true
  def init(options), do: options

  @impl true
  def call(conn, _options) do
    count = Application.fetch_env!(:site, :middlewares)
    Plug.run(conn, List.duplicate({Counting, Counting.init([])}, count))
  end
end
