defmodule Site.Library do
  @moduledoc "The blog's posts and images, read once at the start."

  @posts_per_page 5

  def child_spec(_), do: %{id: __MODULE__, start: {__MODULE__, :start_link, []}}

  @doc "Reads them; they stay where every process sees them without a copy."
  def start_link do
    folder = Application.fetch_env!(:site, :blog)
    :persistent_term.put(__MODULE__, {read!(folder, "posts.json"), read!(folder, "images.json")})
    :ignore
  end

  @doc "Different posts in random order, each with an image drawn on its own."
  def draw_page do
    {posts, images} = :persistent_term.get(__MODULE__)
    for post <- Enum.take_random(posts, @posts_per_page), do: {post, Enum.random(images)}
  end

  defp read!(folder, name),
    do: folder |> Path.join(name) |> File.read!() |> Jason.decode!(keys: :atoms)
end
