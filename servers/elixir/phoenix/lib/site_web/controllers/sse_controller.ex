defmodule SiteWeb.SseController do
  use SiteWeb, :controller

  alias SiteWeb.Params

  @most 10_000
  @longest_ms 1000

  def index(conn, params) do
    with {:ok, count} <- Params.whole(params["n"], 1..@most),
         {:ok, tag} <- Params.tag(params["tag"]),
         {:ok, gap_ms} <- Params.whole(Map.get(params, "gap", "0"), 0..@longest_ms),
         {:ok, last} <- conn |> last_id() |> Params.whole(0..count) do
      push(conn, last, count, tag, gap_ms)
    else
      :error -> conn |> put_status(400) |> text("n must be 1 to #{@most}, tag have 18 digits")
    end
  end

  defp last_id(conn), do: conn |> get_req_header("last-event-id") |> List.first("0")

  defp push(conn, last, last, _tag, _gap_ms), do: send_resp(conn, 204, "")

  defp push(conn, last, count, tag, gap_ms) do
    conn =
      conn
      |> put_resp_content_type("text/event-stream")
      |> put_resp_header("cache-control", "no-cache")
      |> send_chunked(200)

    Enum.reduce_while((last + 1)..count, conn, fn number, conn ->
      if gap_ms > 0 and number > last + 1, do: Process.sleep(gap_ms)

      case chunk(conn, event(number, tag)) do
        {:ok, conn} -> {:cont, conn}
        {:error, _gone} -> {:halt, conn}
      end
    end)
  end

  defp event(number, tag) do
    made = System.os_time(:microsecond)
    # A map would have its keys in another order.
    data = Jason.OrderedObject.new(number: number, tag: tag, made: made)
    ["id: ", to_string(number), "\ndata: ", Jason.encode_to_iodata!(data), "\n\n"]
  end
end
