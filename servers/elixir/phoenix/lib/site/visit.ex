defmodule Site.Visit do
  @moduledoc "A visitor's session, in a table that keeps it as JSON."

  use Ecto.Schema

  alias Site.{Repo, TextAsJson}

  @primary_key {:uid, :string, autogenerate: false}
  schema "usersessions" do
    field :data, TextAsJson
  end

  @doc "Counts a visit of `uid`."
  def count(uid) do
    case Repo.get(__MODULE__, uid) do
      nil ->
        Repo.insert!(%__MODULE__{uid: uid, data: %{"count" => 1}})

      %{data: %{"count" => count} = data} = visit ->
        visit |> Ecto.Changeset.change(data: %{data | "count" => count + 1}) |> Repo.update!()
    end
  end
end
