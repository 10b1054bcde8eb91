defmodule SiteWeb.UpdatesJSON do
  def index(%{items: items}) do
    for item <- items, do: %{id: item.id, quantity: item.quantity}
  end
end
