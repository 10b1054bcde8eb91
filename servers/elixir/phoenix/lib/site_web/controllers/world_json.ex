defmodule SiteWeb.WorldJSON do
  def index(%{worlds: worlds}) do
    for world <- worlds, do: %{id: world.id, randomNumber: world.randomnumber}
  end
end
