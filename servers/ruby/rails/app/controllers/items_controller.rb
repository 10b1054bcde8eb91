# frozen_string_literal: true

class ItemsController < ApplicationController
  def update
    render json: Item.count_up(clamped)
  end
end
