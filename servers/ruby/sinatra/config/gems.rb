# frozen_string_literal: true

# The release lines this was written for, whatever else is installed beside them.
{
  "puma" => "~> 5.6",
  "rack" => "~> 2.2",
  "sinatra" => "~> 3.0",
  "sequel" => "~> 5.63",
  "sequel_pg" => "~> 1.14",
  "pg" => "~> 1.4",
  "mysql2" => "~> 0.5.3",
  "erubi" => "~> 1.9"
}.each { |name, version| gem name, version }
