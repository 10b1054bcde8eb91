#pragma once

#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "environment.hpp"

/// At most WEBDYNO_POOL connections, made when they are needed, for all threads together.
template <typename Connection>
class Pool {
public:
    /// A connection for as long as this is held; it is waited for where none is free.
    class Lease {
    public:
        explicit Lease(Pool& pool) : pool_{pool}, connection_{pool.take()} {}
        ~Lease() { pool_.give(std::move(connection_)); }
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;

        Connection* operator->() const { return connection_.get(); }

    private:
        Pool& pool_;
        std::unique_ptr<Connection> connection_;
    };

private:
    std::unique_ptr<Connection> take() {
        {
            std::unique_lock lock{mutex_};
            given_.wait(lock, [this] { return taken_ < most_; });
            ++taken_;
            if (!free_.empty()) {
                auto connection = std::move(free_.back());
                free_.pop_back();
                return connection;
            }
        }
        try {
            return std::make_unique<Connection>();
        } catch (...) {
            give(nullptr);
            throw;
        }
    }

    void give(std::unique_ptr<Connection> connection) {
        // One that cannot be used again is closed, and another made when it is needed.
        if (connection != nullptr && !connection->is_usable()) {
            connection.reset();
        }
        {
            const std::lock_guard lock{mutex_};
            if (connection != nullptr) {
                free_.push_back(std::move(connection));
            }
            --taken_;
        }
        given_.notify_one();
    }

    std::mutex mutex_;
    std::condition_variable given_;
    std::vector<std::unique_ptr<Connection>> free_;
    int most_ = std::max(number("WEBDYNO_POOL", 16), 1);
    int taken_ = 0;
};
