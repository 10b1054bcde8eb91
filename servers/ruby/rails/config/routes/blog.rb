# frozen_string_literal: true

get "/blog", to: "posts#index"
