defmodule SiteWeb.MiddlewareController do
  use SiteWeb, :controller

  alias Site.Counts

  def hello(conn, _params) do
    Counts.receive_one()
    text(conn, "Hello World")
  end

  def passed(conn, _params), do: json(conn, Counts.receive_one())
end
