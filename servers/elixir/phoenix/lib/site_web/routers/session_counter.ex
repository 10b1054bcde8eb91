defmodule SiteWeb.Routers.SessionCounter do
  use SiteWeb, :router

  pipeline :session do
    plug Plug.Session,
      store: :cookie,
      key: "_site_key",
      signing_salt: "uQn3vX0d",
      same_site: "Lax"

    plug :fetch_session
    plug :protect_from_forgery
  end

  scope "/", SiteWeb do
    pipe_through [:browser, :session]

    get "/", SessionCounterController, :show
  end
end
