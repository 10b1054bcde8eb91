#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <libpq-fe.h>

/// The rows that a statement answered with.
class Rows {
public:
    explicit Rows(PGresult* result) : result_{result, PQclear} {}

    int count() const { return PQntuples(result_.get()); }

    /// The text in a column of a row.
    std::string_view text(int row, int column) const {
        return {PQgetvalue(result_.get(), row, column),
                static_cast<std::size_t>(PQgetlength(result_.get(), row, column))};
    }

    /// The whole number in a column of a row.
    int number(int row, int column) const;

private:
    std::unique_ptr<PGresult, decltype(&PQclear)> result_;
};

/// A connection to PostgreSQL with its prepared statements.
class Connection {
public:
    Connection();

    bool is_open() const { return PQstatus(connection_.get()) == CONNECTION_OK; }

    /// Whether a transaction was begun and has not ended.
    bool in_transaction() const { return PQtransactionStatus(connection_.get()) != PQTRANS_IDLE; }

    /// Executes a text without parameters, such as BEGIN.
    void execute(const char* text);

    /// Executes `text` with its parameters; it is prepared at its first use on this connection.
    Rows query(const std::string& text, const std::vector<std::string>& parameters = {});

private:
    Rows checked(PGresult* result) const;

    std::unique_ptr<PGconn, decltype(&PQfinish)> connection_;
    std::vector<std::string> prepared_;
};

/// At most WEBDYNO_POOL connections, made when they are needed, for all threads together.
class Pool {
public:
    Pool();

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
    std::unique_ptr<Connection> take();
    void give(std::unique_ptr<Connection> connection);

    std::mutex mutex_;
    std::condition_variable given_;
    std::vector<std::unique_ptr<Connection>> free_;
    int most_;
    int taken_ = 0;
};

/// The pool of this process.
Pool& pool();
