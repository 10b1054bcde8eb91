defmodule SiteWeb.Endpoint do
  use Phoenix.Endpoint, otp_app: :site

  plug Plug.RequestId
  plug Plug.Telemetry, event_prefix: [:phoenix, :endpoint], log: false
  plug Plug.Head
  # Bodies are not parsed: no scenario sends a form or JSON.
  plug :fetch_query_params
  plug :route

  # The scenario's router, which is known only at the start.
  defp route(conn, _options) do
    router = Application.fetch_env!(:site, :router)
    router.call(conn, router.init([]))
  end
end
