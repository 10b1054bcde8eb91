defmodule SiteWeb.Routers.Fortunes do
  use SiteWeb, :router

  scope "/", SiteWeb do
    pipe_through :browser

    get "/fortunes", FortunesController, :index
  end
end
