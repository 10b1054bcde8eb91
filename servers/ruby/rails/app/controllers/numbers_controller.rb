# frozen_string_literal: true

class NumbersController < ApplicationController
  def show
    render json: (1..10).to_h { |number| ["Test Number #{number}", rand(0..1000)] }
  end
end
