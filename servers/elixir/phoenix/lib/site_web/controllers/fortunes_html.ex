defmodule SiteWeb.FortunesHTML do
  use SiteWeb, :html

  embed_templates "fortunes_html/*"
end
