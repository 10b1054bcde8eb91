# frozen_string_literal: true

post "/upload", to: "uploads#create"
