defmodule SiteWeb.Sha256Controller do
  use SiteWeb, :controller

  alias SiteWeb.Params

  def show(conn, params) do
    case Params.whole(params["n"], 1..100_000) do
      {:ok, rounds} -> text(conn, Base.encode16(digest(rounds), case: :lower))
      :error -> conn |> put_status(400) |> text("n must be 1 to 100000")
    end
  end

  defp digest(rounds) do
    content = File.read!(Application.fetch_env!(:site, :file))
    Enum.reduce(1..rounds, "", fn _, digest -> :crypto.hash(:sha256, [content, digest]) end)
  end
end
