defmodule SiteWeb.Routers.WebsocketEcho do
  use SiteWeb, :router

  scope "/", SiteWeb do
    get "/ws", WebsocketEchoController, :connect
  end
end
