#include "rows.hpp"

#include <algorithm>
#include <set>

#include "database.hpp"
#include "random.hpp"

namespace {

constexpr int ROWS = 10'000;

constexpr const char* UPDATE_ITEMS =
    "UPDATE stock SET quantity = counted.quantity "
    "FROM unnest($1::int[], $2::int[]) AS counted (id, quantity) WHERE stock.id = counted.id";

/// One member of all items, as the text of an array of PostgreSQL.
std::string array_of(const std::vector<Item>& items, int Item::* member) {
    std::string array = "{";
    for (const Item& item : items) {
        if (array.size() > 1) {
            array += ',';
        }
        array += std::to_string(item.*member);
    }
    return array + '}';
}

World read_world(const Lease& connection, int id) {
    const Rows rows =
        connection->query("SELECT id, randomnumber FROM world WHERE id = $1", {std::to_string(id)});
    return {rows.number(0, 0), rows.number(0, 1)};
}

}  // namespace

World read_world(int id) {
    const Lease connection{pool()};
    return read_world(connection, id);
}

std::vector<World> read_worlds(int count) {
    const Lease connection{pool()};
    std::vector<World> worlds;
    for (int drawn = 0; drawn < count; ++drawn) {
        worlds.push_back(read_world(connection, random_integer(1, ROWS)));
    }
    return worlds;
}

std::vector<Item> count_items(int count) {
    // In order: rows that are always locked so cannot make two transactions wait for each other.
    std::set<int> ids;
    while (ids.size() < static_cast<std::size_t>(count)) {
        ids.insert(random_integer(1, ROWS));
    }
    const Lease connection{pool()};
    connection->execute("BEGIN");
    std::vector<Item> items;
    for (const int id : ids) {
        const Rows rows =
            connection->query("SELECT quantity FROM stock WHERE id = $1 FOR UPDATE", {std::to_string(id)});
        items.push_back({id, rows.number(0, 0) + 1});
    }
    connection->query(UPDATE_ITEMS, {array_of(items, &Item::id), array_of(items, &Item::quantity)});
    connection->execute("COMMIT");
    return items;
}

std::vector<Fortune> read_fortunes(const std::string& added) {
    std::vector<Fortune> fortunes{{0, added}};
    {
        const Lease connection{pool()};
        const Rows rows = connection->query("SELECT id, message FROM fortune");
        for (int row = 0; row < rows.count(); ++row) {
            fortunes.push_back({rows.number(row, 0), std::string{rows.text(row, 1)}});
        }
    }
    // The bytes of UTF-8 are in the order of the code points.
    std::ranges::sort(fortunes, {}, &Fortune::message);
    return fortunes;
}

std::vector<Article> read_articles() {
    const Lease connection{pool()};
    const Rows rows = connection->query("SELECT title, author, summary FROM articles ORDER BY number");
    std::vector<Article> articles;
    for (int row = 0; row < rows.count(); ++row) {
        articles.push_back(
            {std::string{rows.text(row, 0)}, std::string{rows.text(row, 1)}, std::string{rows.text(row, 2)}});
    }
    return articles;
}
