defmodule Site.World do
  use Ecto.Schema

  schema "world" do
    field :randomnumber, :integer
  end
end
