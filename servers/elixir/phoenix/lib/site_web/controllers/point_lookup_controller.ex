defmodule SiteWeb.PointLookupController do
  use SiteWeb, :controller

  import Ecto.Query, only: [from: 2]

  alias Site.{MariaRepo, Sku}

  def show(conn, params) do
    wanted =
      Map.get_lazy(params, "id", fn -> Enum.random(Application.fetch_env!(:site, :candidates)) end)

    case MariaRepo.one(from s in Sku, where: s.sku_id == ^wanted, select: s.sku_id) do
      nil -> conn |> put_status(404) |> text("Not Found")
      sku_id -> text(conn, sku_id)
    end
  end
end
