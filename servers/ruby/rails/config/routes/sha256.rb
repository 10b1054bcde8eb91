# frozen_string_literal: true

get "/benchmark", to: "digests#show"
