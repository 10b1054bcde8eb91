# frozen_string_literal: true

get "/page", to: "pages#show"
