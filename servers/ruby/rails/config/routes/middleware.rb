# frozen_string_literal: true

get "/hello", to: "counts#hello"
get "/passed", to: "counts#passed"
