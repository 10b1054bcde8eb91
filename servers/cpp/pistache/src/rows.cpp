#include "rows.hpp"

#include <memory>
#include <pqxx/pqxx>
#include <set>

#include "environment.hpp"
#include "random.hpp"

namespace {

constexpr int ROWS = 10'000;

/// The connection of this thread, made at its first use and again after it was lost.
pqxx::connection& connection() {
    thread_local std::unique_ptr<pqxx::connection> held;
    if (held == nullptr || !held->is_open()) {
        held = std::make_unique<pqxx::connection>(required("DATABASE_URL"));
        held->prepare("read", "SELECT id, randomnumber FROM world WHERE id = $1");
        held->prepare("lock", "SELECT quantity FROM stock WHERE id = $1 FOR UPDATE");
        held->prepare("write", "UPDATE stock SET quantity = $2 WHERE id = $1");
    }
    return *held;
}

}  // namespace

nlohmann::json read_worlds(int count) {
    pqxx::nontransaction work{connection()};
    auto worlds = nlohmann::json::array();
    for (int drawn = 0; drawn < count; ++drawn) {
        const pqxx::row row = work.exec_prepared1("read", random_integer(1, ROWS));
        worlds.push_back({{"id", row[0].as<int>()}, {"randomNumber", row[1].as<int>()}});
    }
    return worlds;
}

nlohmann::json count_items(int count) {
    // In order: rows that are always locked so cannot make two transactions wait for each other.
    std::set<int> ids;
    while (ids.size() < static_cast<std::size_t>(count)) {
        ids.insert(random_integer(1, ROWS));
    }
    pqxx::work work{connection()};
    auto items = nlohmann::json::array();
    for (const int id : ids) {
        const int quantity = work.exec_prepared1("lock", id)[0].as<int>() + 1;
        items.push_back({{"id", id}, {"quantity", quantity}});
    }
    for (const auto& item : items) {
        work.exec_prepared0("write", item["id"].get<int>(), item["quantity"].get<int>());
    }
    work.commit();
    return items;
}
