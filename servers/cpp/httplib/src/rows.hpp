#pragma once

#include <string>
#include <vector>

struct World {
    int id;
    int random_number;
};

struct Item {
    int id;
    int quantity;
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

/// The row of the table world with this id.
World read_world(int id);

/// Rows of the table world, each by a query of its own.
std::vector<World> read_worlds(int count);

/// Counts different rows of the table stock up by one, in a transaction.
std::vector<Item> count_items(int count);

/// All rows of the table fortune and one more, sorted by message.
std::vector<Fortune> read_fortunes(const std::string& added);

/// All rows of the table articles in their order.
std::vector<Article> read_articles();
