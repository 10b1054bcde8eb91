# frozen_string_literal: true

get "/cached", to: "cached_worlds#index"
