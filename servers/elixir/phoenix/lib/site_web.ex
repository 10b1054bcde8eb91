defmodule SiteWeb do
  @moduledoc "What routers, controllers and templates have in common: `use SiteWeb, :router`."

  def router do
    quote do
      use Phoenix.Router, helpers: false

      import Phoenix.Controller
      import Plug.Conn

      pipeline :browser do
        plug :accepts, ["html"]
        plug :put_secure_browser_headers
      end

      pipeline :api do
        plug :accepts, ["json"]
      end
    end
  end

  def controller do
    quote do
      use Phoenix.Controller, formats: [:html, :json], layouts: [html: SiteWeb.Layouts]

      import Plug.Conn
    end
  end

  def html do
    quote do
      use Phoenix.Component
    end
  end

  defmacro __using__(which) when is_atom(which), do: apply(__MODULE__, which, [])
end
