defmodule SiteWeb.Files do
  @moduledoc "The files of a folder that is known only at the start."

  use Plug.Builder

  plug Plug.Static, at: "/", from: {__MODULE__, :folder, []}
  plug :not_found

  def folder, do: Application.fetch_env!(:site, :static)

  defp not_found(conn, _options), do: send_resp(conn, 404, "Not Found")
end
