defmodule SiteWeb.PageController do
  use SiteWeb, :controller

  import Ecto.Query, only: [from: 2]

  alias Site.{Article, Repo}

  def show(conn, _params) do
    articles = Repo.all(from a in Article, order_by: a.number)
    render(conn, :show, page_title: "The Dynamometer News", articles: articles)
  end
end
