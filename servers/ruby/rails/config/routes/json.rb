# frozen_string_literal: true

get "/json", to: "numbers#show"
