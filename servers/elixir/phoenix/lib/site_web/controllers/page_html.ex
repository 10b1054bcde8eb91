defmodule SiteWeb.PageHTML do
  use SiteWeb, :html

  embed_templates "page_html/*"
end
