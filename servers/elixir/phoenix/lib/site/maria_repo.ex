defmodule Site.MariaRepo do
  use Ecto.Repo, otp_app: :site, adapter: Ecto.Adapters.MyXQL
end
