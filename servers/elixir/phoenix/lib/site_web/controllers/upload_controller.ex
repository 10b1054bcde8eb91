defmodule SiteWeb.UploadController do
  use SiteWeb, :controller

  @piece [length: 65_536, read_length: 65_536]

  def create(conn, _params) do
    {conn, sha256, length} = hashed(conn, :crypto.hash_init(:sha256), 0)
    digest = sha256 |> :crypto.hash_final() |> Base.encode16(case: :lower)
    text(conn, "sha256:#{digest} #{length}")
  end

  defp hashed(conn, sha256, length) do
    case read_body(conn, @piece) do
      {:more, piece, conn} ->
        hashed(conn, :crypto.hash_update(sha256, piece), length + byte_size(piece))

      {:ok, piece, conn} ->
        {conn, :crypto.hash_update(sha256, piece), length + byte_size(piece)}

      {:error, reason} ->
        raise "the body broke off: #{reason}"
    end
  end
end
