defmodule SiteWeb.JsonController do
  use SiteWeb, :controller

  def show(conn, _params) do
    json(conn, Map.new(1..10, &{"Test Number #{&1}", Enum.random(0..1000)}))
  end
end
