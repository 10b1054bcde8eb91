defmodule SiteWeb.Routers.Cached do
  use SiteWeb, :router

  scope "/", SiteWeb do
    pipe_through :api

    get "/cached", CachedController, :index
  end
end
