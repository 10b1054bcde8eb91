defmodule SiteWeb.SessionCounterController do
  use SiteWeb, :controller

  # The cookie holds the id alone; what belongs to the session is a row of a table.
  def show(conn, _params) do
    conn = with_id(conn)
    visit = conn |> get_session(:uid) |> Site.Visit.count()
    text(conn, "Count is #{visit.data["count"]}")
  end

  defp with_id(conn) do
    if get_session(conn, :uid), do: conn, else: put_session(conn, :uid, Ecto.UUID.generate())
  end
end
