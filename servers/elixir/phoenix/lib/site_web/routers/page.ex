defmodule SiteWeb.Routers.Page do
  use SiteWeb, :router

  scope "/", SiteWeb do
    pipe_through :browser

    get "/page", PageController, :show
  end
end
