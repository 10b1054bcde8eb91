defmodule Site.TextAsJson do
  @moduledoc "A map in a column of text: Ecto's own `:map` is for columns of JSON."

  use Ecto.Type

  @impl true
  def type, do: :string

  @impl true
  def cast(%{} = data), do: {:ok, data}
  def cast(_), do: :error

  @impl true
  def load(text), do: Jason.decode(text)

  @impl true
  def dump(%{} = data), do: Jason.encode(data)
  def dump(_), do: :error
end
