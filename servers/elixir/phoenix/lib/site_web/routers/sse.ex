defmodule SiteWeb.Routers.Sse do
  use SiteWeb, :router

  scope "/", SiteWeb do
    get "/events", SseController, :index
  end
end
