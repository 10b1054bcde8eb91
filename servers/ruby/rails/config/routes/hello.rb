# frozen_string_literal: true

get "/hello", to: "hello#show"
