defmodule SiteWeb.Routers.Middleware do
  use SiteWeb, :router

  pipeline :counted do
    plug SiteWeb.Middlewares
  end

  scope "/", SiteWeb do
    pipe_through :counted

    get "/hello", MiddlewareController, :hello
    get "/passed", MiddlewareController, :passed
  end
end
