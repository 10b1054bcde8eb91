defmodule SiteWeb.Counting do
  @moduledoc "A plug that counts a request and passes it on."

  @behaviour Plug

  alias Site.Counts

  @impl true
  def init(options), do: options

  @impl true
  def call(conn, _options) do
    Counts.pass()
    conn
  end
end
