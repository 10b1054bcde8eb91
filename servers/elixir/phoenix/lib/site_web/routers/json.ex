defmodule SiteWeb.Routers.Json do
  use SiteWeb, :router

  scope "/", SiteWeb do
    pipe_through :api

    get "/json", JsonController, :show
  end
end
