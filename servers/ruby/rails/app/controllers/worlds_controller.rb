# frozen_string_literal: true

class WorldsController < ApplicationController
  def index
    render json: Array.new(clamped) { World.find(rand(World::IDS)) }
  end
end
