defmodule SiteWeb.BlogController do
  use SiteWeb, :controller

  def index(conn, _params), do: render(conn, :index, posts: Site.Library.draw_page())
end
