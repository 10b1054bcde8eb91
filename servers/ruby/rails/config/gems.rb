# frozen_string_literal: true

# The release lines this was written for, whatever else is installed beside them.
{
  "railties" => "~> 6.1.7",
  "activerecord" => "~> 6.1.7",
  "puma" => "~> 5.6",
  "pg" => "~> 1.4",
  "mysql2" => "~> 0.5.3"
}.each { |name, version| gem name, version }
