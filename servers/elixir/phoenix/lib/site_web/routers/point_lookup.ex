defmodule SiteWeb.Routers.PointLookup do
  use SiteWeb, :router

  scope "/", SiteWeb do
    get "/sku", PointLookupController, :show
  end
end
