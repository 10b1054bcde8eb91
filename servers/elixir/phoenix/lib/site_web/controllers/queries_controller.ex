defmodule SiteWeb.QueriesController do
  use SiteWeb, :controller

  alias Site.{Repo, World}
  alias SiteWeb.Params

  @rows 10_000

  plug :put_view, json: SiteWeb.WorldJSON

  def index(conn, params) do
    worlds =
      Repo.checkout(fn ->
        for _ <- 1..Params.rows(params), do: Repo.get!(World, Enum.random(1..@rows))
      end)

    render(conn, :index, worlds: worlds)
  end
end
