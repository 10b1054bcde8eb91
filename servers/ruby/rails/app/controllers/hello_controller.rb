# frozen_string_literal: true

class HelloController < ApplicationController
  def show
    render plain: "Hello World"
  end
end
