defmodule SiteWeb.BlogHTML do
  use SiteWeb, :html

  embed_templates "blog_html/*"
end
