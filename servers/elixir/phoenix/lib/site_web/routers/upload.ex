defmodule SiteWeb.Routers.Upload do
  use SiteWeb, :router

  scope "/", SiteWeb do
    post "/upload", UploadController, :create
  end
end
