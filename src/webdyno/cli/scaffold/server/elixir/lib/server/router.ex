defmodule Server.Router do
  @moduledoc "The scenario `hello`. Replace it with your framework's."

  use Plug.Router

  plug :match
  plug :dispatch

  get "/hello" do
    conn |> put_resp_content_type("text/plain") |> send_resp(200, "Hello World")
  end

  match _ do
    send_resp(conn, 404, "Not Found")
  end
end
