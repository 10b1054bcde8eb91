# frozen_string_literal: true

get "/queries", to: "worlds#index"
