defmodule Site.Item do
  @moduledoc "An item in stock, and how items are counted up."

  use Ecto.Schema

  import Ecto.Query, only: [from: 2]

  alias Site.Repo

  schema "stock" do
    field :quantity, :integer
  end

  @doc "Adds one to the items of `ids`, all or none, and gives them as they were written."
  def count_up(ids) do
    {:ok, items} =
      Repo.transaction(fn ->
        # In this order, so that two transactions never wait for each other.
        for id <- Enum.sort(ids) do
          item = Repo.one!(from i in __MODULE__, where: i.id == ^id, lock: "FOR UPDATE")
          item |> Ecto.Changeset.change(quantity: item.quantity + 1) |> Repo.update!()
        end
      end)

    items
  end
end
