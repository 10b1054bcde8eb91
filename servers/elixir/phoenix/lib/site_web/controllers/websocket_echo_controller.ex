defmodule SiteWeb.WebsocketEchoController do
  use SiteWeb, :controller

  alias WebSockAdapter.UpgradeValidation

  def connect(conn, _params) do
    case UpgradeValidation.validate_upgrade(conn) do
      :ok ->
        conn |> WebSockAdapter.upgrade(SiteWeb.WebsocketEcho, nil, timeout: 75_000) |> halt()

      {:error, reason} ->
        conn |> put_resp_header("upgrade", "websocket") |> put_status(426) |> text(reason)
    end
  end
end
