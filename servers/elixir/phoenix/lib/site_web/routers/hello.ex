defmodule SiteWeb.Routers.Hello do
  use SiteWeb, :router

  scope "/", SiteWeb do
    get "/hello", HelloController, :show
  end
end
