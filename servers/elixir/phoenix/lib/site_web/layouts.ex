defmodule SiteWeb.Layouts do
  use SiteWeb, :html

  embed_templates "layouts/*"
end
