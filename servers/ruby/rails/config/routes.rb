# frozen_string_literal: true

Rails.application.routes.draw do
  instance_eval(File.read(Rails.root.join("config/routes", "#{Scenario.name}.rb")))
end
