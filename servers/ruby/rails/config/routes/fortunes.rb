# frozen_string_literal: true

get "/fortunes", to: "fortunes#index"
