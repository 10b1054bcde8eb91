defmodule SiteWeb.FortunesController do
  use SiteWeb, :controller

  alias Site.{Fortune, Repo}

  def index(conn, %{"added" => added}) when is_binary(added) and added != "" do
    fortunes = [%Fortune{id: 0, message: added} | Repo.all(Fortune)]
    sorted = Enum.sort_by(fortunes, & &1.message)
    render(conn, :index, page_title: "Fortunes", fortunes: sorted)
  end

  def index(conn, _params), do: conn |> put_status(400) |> text("added is missing")
end
