defmodule SiteWeb.WebsocketEcho do
  @moduledoc "A connection by WebSocket that sends each message back."

  @behaviour WebSock

  @impl true
  def init(state), do: {:ok, state}

  @impl true
  def handle_in({message, [opcode: opcode]}, state), do: {:push, {opcode, message}, state}

  @impl true
  def handle_info(_message, state), do: {:ok, state}
end
