# frozen_string_literal: true

get "/stream", to: "pieces#index"
