#include "rows.hpp"

#include <algorithm>
#include <memory>
#include <pqxx/pqxx>
#include <set>

#include "environment.hpp"
#include "random.hpp"

namespace {

constexpr int ROWS = 10'000;

constexpr const char* UPDATE_ITEMS =
    "UPDATE stock SET quantity = counted.quantity "
    "FROM unnest($1::int[], $2::int[]) AS counted (id, quantity) WHERE stock.id = counted.id";

/// One member of all items, as the text of an array of PostgreSQL.
std::string array_of(const nlohmann::json& items, const char* member) {
    std::string array = "{";
    for (const auto& item : items) {
        if (array.size() > 1) {
            array += ',';
        }
        array += std::to_string(item[member].get<int>());
    }
    return array + '}';
}

/// A connection to PostgreSQL with its prepared statements.
class Connection {
public:
    Connection() : connection_{required("DATABASE_URL")} {}

    bool is_open() const { return connection_.is_open(); }

    pqxx::connection& get() { return connection_; }

    /// Executes `text` with its parameters in `work`; it is prepared at its first use on this connection.
    template <typename... Parameters>
    pqxx::result query(pqxx::transaction_base& work, const std::string& text, const Parameters&... parameters) {
        const auto found = std::ranges::find(prepared_, text);
        const std::string name = "statement" + std::to_string(found - prepared_.begin());
        if (found == prepared_.end()) {
            connection_.prepare(name, text);
            prepared_.push_back(text);
        }
        return work.exec_prepared(name, parameters...);
    }

private:
    pqxx::connection connection_;
    std::vector<std::string> prepared_;
};

/// The connection of this thread, made at its first use and again after it was lost.
Connection& connection() {
    thread_local std::unique_ptr<Connection> held;
    if (held == nullptr || !held->is_open()) {
        held = std::make_unique<Connection>();
    }
    return *held;
}

/// Executes one statement outside of a transaction.
template <typename... Parameters>
pqxx::result query(const std::string& text, const Parameters&... parameters) {
    pqxx::nontransaction work{connection().get()};
    return connection().query(work, text, parameters...);
}

}  // namespace

void to_json(nlohmann::json& json, const World& world) {
    json = {{"id", world.id}, {"randomNumber", world.random_number}};
}

World read_world(int id) {
    const pqxx::row row = query("SELECT id, randomnumber FROM world WHERE id = $1", id).at(0);
    return {row[0].as<int>(), row[1].as<int>()};
}

nlohmann::json read_worlds(int count) {
    auto worlds = nlohmann::json::array();
    for (int drawn = 0; drawn < count; ++drawn) {
        worlds.push_back(read_world(random_integer(1, ROWS)));
    }
    return worlds;
}

nlohmann::json count_items(int count) {
    // In order: rows that are always locked so cannot make two transactions wait for each other.
    std::set<int> ids;
    while (ids.size() < static_cast<std::size_t>(count)) {
        ids.insert(random_integer(1, ROWS));
    }
    pqxx::work work{connection().get()};
    auto items = nlohmann::json::array();
    for (const int id : ids) {
        const pqxx::result rows =
            connection().query(work, "SELECT quantity FROM stock WHERE id = $1 FOR UPDATE", id);
        const int quantity = rows.at(0)[0].as<int>() + 1;
        items.push_back({{"id", id}, {"quantity", quantity}});
    }
    connection().query(work, UPDATE_ITEMS, array_of(items, "id"), array_of(items, "quantity"));
    work.commit();
    return items;
}

std::vector<Fortune> read_fortunes(const std::string& added) {
    std::vector<Fortune> fortunes{{0, added}};
    for (const pqxx::row& row : query("SELECT id, message FROM fortune")) {
        fortunes.push_back({row[0].as<int>(), row[1].as<std::string>()});
    }
    // The bytes of UTF-8 are in the order of the code points.
    std::ranges::sort(fortunes, {}, &Fortune::message);
    return fortunes;
}

std::vector<Article> read_articles() {
    std::vector<Article> articles;
    for (const pqxx::row& row : query("SELECT title, author, summary FROM articles ORDER BY number")) {
        articles.push_back({row[0].as<std::string>(), row[1].as<std::string>(), row[2].as<std::string>()});
    }
    return articles;
}

std::optional<std::string> read_session(const std::string& uid) {
    const pqxx::result rows = query("SELECT data FROM usersessions WHERE uid = $1", uid);
    return rows.empty() ? std::nullopt : std::optional{rows[0][0].as<std::string>()};
}

void insert_session(const std::string& uid, const std::string& data) {
    query("INSERT INTO usersessions (uid, data) VALUES ($1, $2)", uid, data);
}

void update_session(const std::string& uid, const std::string& data) {
    query("UPDATE usersessions SET data = $2 WHERE uid = $1", uid, data);
}
