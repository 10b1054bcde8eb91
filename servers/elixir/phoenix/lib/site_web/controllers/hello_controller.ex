defmodule SiteWeb.HelloController do
  use SiteWeb, :controller

  def show(conn, _params), do: text(conn, "Hello World")
end
