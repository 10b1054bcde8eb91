#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

struct World {
    int id;
    int random_number;
};

struct Fortune {
    int id;
    std::string message;
};

struct Article {
    std::string title;
    std::string author;
    std::string summary;
};

void to_json(nlohmann::json& json, const World& world);

/// The row of the table world with this id.
World read_world(int id);

/// Rows of the table world, each by a query of its own.
nlohmann::json read_worlds(int count);

/// Counts different rows of the table stock up by one, in a transaction.
nlohmann::json count_items(int count);

/// All rows of the table fortune and one more, sorted by message.
std::vector<Fortune> read_fortunes(const std::string& added);

/// All rows of the table articles in their order.
std::vector<Article> read_articles();

/// What the row of a session holds, if there is one.
std::optional<std::string> read_session(const std::string& uid);

void insert_session(const std::string& uid, const std::string& data);

void update_session(const std::string& uid, const std::string& data);
