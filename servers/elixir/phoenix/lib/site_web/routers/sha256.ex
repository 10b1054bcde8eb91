defmodule SiteWeb.Routers.Sha256 do
  use SiteWeb, :router

  scope "/", SiteWeb do
    get "/benchmark", Sha256Controller, :show
  end
end
