defmodule SiteWeb.CachedController do
  use SiteWeb, :controller

  alias Site.WorldCache
  alias SiteWeb.Params

  @rows 100

  plug :put_view, json: SiteWeb.WorldJSON

  def index(conn, params) do
    worlds = for _ <- 1..Params.rows(params), do: WorldCache.fetch!(Enum.random(1..@rows))
    render(conn, :index, worlds: worlds)
  end
end
