# frozen_string_literal: true

require_relative "../lib/application"
require_relative "../lib/database"

class PointLookup < Application
  sku = Database.mariadb[:purch_sku_master].select(:sku_id).where(sku_id: :$id).limit(1).prepare(:first, :sku)
  ids = Environment.required("WEBDYNO_SKUS").split(",")

  get "/sku" do
    id = params.key?("id") ? parameter("id") : ids.sample
    row = id && sku.call(id: id)
    halt 404, text("no such row") unless row

    text row[:sku_id]
  end
end
