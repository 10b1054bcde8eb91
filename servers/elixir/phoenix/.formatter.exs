[
  import_deps: [:ecto, :phoenix],
  plugins: [Phoenix.LiveView.HTMLFormatter],
  inputs: ["*.exs", "{config,lib}/**/*.{ex,exs,heex}"]
]
