# frozen_string_literal: true

class SkusController < ApplicationController
  IDS = Environment.required("WEBDYNO_SKUS").split(",").freeze if Scenario.name == "point-lookup"

  def show
    sku_id = Sku.where(sku_id: params.fetch(:id) { IDS.sample }.to_s).pick(:sku_id)
    return head(:not_found) unless sku_id

    render plain: sku_id
  end
end
