defmodule Site.Article do
  use Ecto.Schema

  @primary_key {:number, :integer, autogenerate: false}
  schema "articles" do
    field :title, :string
    field :author, :string
    field :summary, :string
  end
end
