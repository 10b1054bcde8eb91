# frozen_string_literal: true

class CountsController < ApplicationController
  def hello
    Counts.receive
    render plain: "Hello World"
  end

  def passed
    render json: Counts.receive
  end
end
