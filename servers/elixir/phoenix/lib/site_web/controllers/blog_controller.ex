defmodule SiteWeb.BlogController do
  use SiteWeb, :controller

  def index(conn, _params) do
    render(conn, :index,
      page_title: "The Dynamometer Blog",
      stylesheet: "/css/style.css",
      posts: Site.Library.draw_page()
    )
  end
end
