defmodule SiteWeb.UpdatesController do
  use SiteWeb, :controller

  alias Site.Item
  alias SiteWeb.Params

  @rows 10_000

  def create(conn, params) do
    drawn = Stream.repeatedly(fn -> Enum.random(1..@rows) end)
    ids = drawn |> Stream.uniq() |> Enum.take(Params.rows(params))
    render(conn, :index, items: Item.count_up(ids))
  end
end
