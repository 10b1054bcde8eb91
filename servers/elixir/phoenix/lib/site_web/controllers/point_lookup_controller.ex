defmodule SiteWeb.PointLookupController do
  use SiteWeb, :controller

  import Ecto.Query, only: [from: 2]

  alias Site.{MariaRepo, Sku}

  def show(conn, %{"id" => id}) when is_binary(id), do: answer(conn, id)
  # A list or a map, as `id[]=1` makes one, is no id: Ecto would raise.
  def show(conn, %{"id" => _}), do: not_found(conn)

  def show(conn, _params),
    do: answer(conn, Enum.random(Application.fetch_env!(:site, :candidates)))

  defp answer(conn, wanted) do
    case MariaRepo.one(from s in Sku, where: s.sku_id == ^wanted, select: s.sku_id) do
      nil -> not_found(conn)
      sku_id -> text(conn, sku_id)
    end
  end

  defp not_found(conn), do: conn |> put_status(404) |> text("Not Found")
end
