defmodule SiteWeb.Routers.Queries do
  use SiteWeb, :router

  scope "/", SiteWeb do
    pipe_through :api

    get "/queries", QueriesController, :index
  end
end
