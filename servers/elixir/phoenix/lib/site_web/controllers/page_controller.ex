defmodule SiteWeb.PageController do
  use SiteWeb, :controller

  import Ecto.Query, only: [from: 2]

  alias Site.{Article, Repo}

  def show(conn, _params) do
    render(conn, :show, articles: Repo.all(from a in Article, order_by: a.number))
  end
end
