defmodule SiteWeb.Routers.Static do
  use SiteWeb, :router

  forward "/", SiteWeb.Files
end
