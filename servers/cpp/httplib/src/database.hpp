#pragma once

#include <libpq-fe.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "pool.hpp"

/// The rows that a statement answered with.
class Rows {
public:
    explicit Rows(PGresult* result) : result_{result, PQclear} {}

    int count() const { return PQntuples(result_.get()); }

    /// The text in a column of a row.
    std::string_view text(int row, int column) const {
        if (row >= count()) {
            throw std::out_of_range{"a statement found no row"};
        }
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

    /// Whether it was neither lost nor left in a transaction by an error.
    bool is_usable() const { return is_open() && PQtransactionStatus(connection_.get()) == PQTRANS_IDLE; }

    /// Executes a text without parameters, such as BEGIN.
    void execute(const char* text);

    /// Executes `text` with its parameters; it is prepared at its first use on this connection.
    Rows query(const std::string& text, const std::vector<std::string>& parameters = {});

private:
    Rows checked(PGresult* result) const;

    std::unique_ptr<PGconn, decltype(&PQfinish)> connection_;
    std::vector<std::string> prepared_;
};

/// A connection for as long as this is held; it is waited for where none is free.
using Lease = Pool<Connection>::Lease;

/// The pool of this process.
Pool<Connection>& pool();
