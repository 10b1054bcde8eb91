# frozen_string_literal: true

post "/updates", to: "items#update"
