#pragma once

#include <nlohmann/json.hpp>

/// Rows of the table world, each by a query of its own.
nlohmann::json read_worlds(int count);

/// Counts different rows of the table stock up by one, in a transaction.
nlohmann::json count_items(int count);
