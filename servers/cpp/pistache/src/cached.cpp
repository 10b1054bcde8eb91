#include <array>
#include <chrono>
#include <memory>
#include <mutex>

#include "answers.hpp"
#include "apps.hpp"
#include "environment.hpp"
#include "random.hpp"
#include "rows.hpp"

namespace {

constexpr int ROWS = 100;

using Clock = std::chrono::steady_clock;

/// A row for as long as it may be used.
class Entry {
public:
    /// The row with this id; requests that miss it at the same time wait for one query.
    World get(int id, Clock::duration kept) {
        const std::lock_guard lock{mutex_};
        const Clock::time_point now = Clock::now();
        if (now >= expiry_) {
            row_ = read_world(id);
            expiry_ = now + kept;
        }
        return row_;
    }

private:
    std::mutex mutex_;
    Clock::time_point expiry_ = Clock::time_point::min();
    World row_{};
};

/// The rows of the table world by their ids from 1.
class Cache {
public:
    explicit Cache(Clock::duration kept) : kept_{kept} {}

    World get(int id) { return entries_.at(id - 1).get(id, kept_); }

private:
    Clock::duration kept_;
    std::array<Entry, ROWS> entries_;
};

}  // namespace

void cached(Pistache::Rest::Router& router) {
    const auto cache = std::make_shared<Cache>(std::chrono::milliseconds{number("WEBDYNO_TTL_MS", 500)});
    Pistache::Rest::Routes::Get(router, "/cached", handler([cache](const Request& request, Response& response) {
        std::vector<int> ids(row_count(request));
        for (int& id : ids) {
            id = random_integer(1, ROWS);
        }
        auto worlds = nlohmann::json::array();
        for (const int id : ids) {
            worlds.push_back(cache->get(id));
        }
        send_json(response, worlds);
    }));
}
