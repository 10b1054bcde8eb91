# frozen_string_literal: true

class VisitsController < ApplicationController
  def show
    session[:count] = session.fetch(:count, 0) + 1
    render plain: "Count is #{session[:count]}"
  end
end
