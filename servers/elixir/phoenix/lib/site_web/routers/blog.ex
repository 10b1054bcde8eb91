defmodule SiteWeb.Routers.Blog do
  use SiteWeb, :router

  scope "/", SiteWeb do
    pipe_through :browser

    get "/blog", BlogController, :index
  end

  forward "/", SiteWeb.Files
end
