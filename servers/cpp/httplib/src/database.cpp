#include "database.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "environment.hpp"

int Rows::number(int row, int column) const {
    const std::string_view found = text(row, column);
    int value = 0;
    std::from_chars(found.data(), found.data() + found.size(), value);
    return value;
}

Connection::Connection() : connection_{PQconnectdb(required("DATABASE_URL").c_str()), PQfinish} {
    if (!is_open()) {
        throw std::runtime_error{PQerrorMessage(connection_.get())};
    }
}

void Connection::execute(const char* text) {
    checked(PQexec(connection_.get(), text));
}

Rows Connection::query(const std::string& text, const std::vector<std::string>& parameters) {
    const int count = static_cast<int>(parameters.size());
    const auto found = std::ranges::find(prepared_, text);
    const std::string name = std::to_string(found - prepared_.begin());
    if (found == prepared_.end()) {
        checked(PQprepare(connection_.get(), name.c_str(), text.c_str(), count, nullptr));
        prepared_.push_back(text);
    }
    std::vector<const char*> values;
    for (const std::string& each : parameters) {
        values.push_back(each.c_str());
    }
    return checked(
        PQexecPrepared(connection_.get(), name.c_str(), count, values.data(), nullptr, nullptr, 0));
}

Rows Connection::checked(PGresult* result) const {
    const ExecStatusType status = PQresultStatus(result);
    Rows rows{result};
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
        throw std::runtime_error{PQerrorMessage(connection_.get())};
    }
    return rows;
}

Pool<Connection>& pool() {
    static Pool<Connection> held;
    return held;
}
