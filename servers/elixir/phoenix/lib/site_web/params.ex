defmodule SiteWeb.Params do
  @moduledoc "Numbers in what requests ask for."

  @most 500

  @doc "How many rows `n` asks for."
  def rows(%{"n" => text}) when is_binary(text) do
    if text =~ ~r/\A[0-9]+\z/, do: text |> String.to_integer() |> max(1) |> min(@most), else: 1
  end

  def rows(_params), do: 1

  @doc "The number in at most six decimal digits, if it lies in `range`."
  def whole(text, range) when is_binary(text) do
    number = if text =~ ~r/\A[0-9]{1,6}\z/, do: String.to_integer(text)
    if number in range, do: {:ok, number}, else: :error
  end

  def whole(_text, _range), do: :error

  @doc "A tag: eighteen digits."
  def tag(text) when is_binary(text),
    do: if(text =~ ~r/\A[0-9]{18}\z/, do: {:ok, text}, else: :error)

  def tag(_text), do: :error
end
