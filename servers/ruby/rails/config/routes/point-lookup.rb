# frozen_string_literal: true

get "/sku", to: "skus#show"
