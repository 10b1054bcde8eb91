defmodule SiteWeb.StreamController do
  use SiteWeb, :controller

  alias SiteWeb.Params

  @most 65_536
  # After the number, the tag and the time, each with its space, up to the newline.
  @dots String.duplicate(".", 4096 - 11 - 19 - 17 - 1)

  def show(conn, params) do
    with {:ok, count} <- Params.whole(params["n"], 1..@most),
         {:ok, tag} <- Params.tag(params["tag"]) do
      conn |> put_resp_content_type("text/plain") |> send_chunked(200) |> send_pieces(count, tag)
    else
      :error -> conn |> put_status(400) |> text("n must be 1 to #{@most}, tag have 18 digits")
    end
  end

  # `chunk` returns once the socket has taken the piece: who reads slowly is waited for.
  defp send_pieces(conn, count, tag) do
    Enum.reduce_while(0..(count - 1), conn, fn number, conn ->
      case chunk(conn, piece(number, tag)) do
        {:ok, conn} -> {:cont, conn}
        {:error, _gone} -> {:halt, conn}
      end
    end)
  end

  defp piece(number, tag) do
    made = System.os_time(:microsecond)
    [padded(number, 10), " ", tag, " ", padded(made, 16), " ", @dots, "\n"]
  end

  defp padded(number, digits), do: number |> to_string() |> String.pad_leading(digits, "0")
end
