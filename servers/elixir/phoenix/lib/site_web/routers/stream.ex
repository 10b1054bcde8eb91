defmodule SiteWeb.Routers.Stream do
  use SiteWeb, :router

  scope "/", SiteWeb do
    get "/stream", StreamController, :show
  end
end
