# frozen_string_literal: true

class SkusController < ApplicationController
  IDS = Environment.required("WEBDYNO_SKUS").split(",").freeze if Scenario.name == "point-lookup"

  def show
    sku = Sku.find_by(sku_id: params.fetch(:id) { IDS.sample }.to_s)
    return head(:not_found) unless sku

    render plain: sku.sku_id
  end
end
