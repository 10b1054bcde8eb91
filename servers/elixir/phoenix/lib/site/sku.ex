defmodule Site.Sku do
  use Ecto.Schema

  @primary_key false
  schema "purch_sku_master" do
    field :sku_id, :string
  end
end
