defmodule SiteWeb.Routers.Updates do
  use SiteWeb, :router

  scope "/", SiteWeb do
    pipe_through :api

    post "/updates", UpdatesController, :create
  end
end
