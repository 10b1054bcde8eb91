#include "lookup.hpp"

#include <stdexcept>
#include <string_view>

#include "environment.hpp"
#include "random.hpp"

namespace {

constexpr std::string_view FIND = "SELECT sku_id FROM purch_sku_master WHERE sku_id = ?";

}  // namespace

LookupConnection::LookupConnection()
    : connection_{mysql_init(nullptr), mysql_close}, statement_{nullptr, mysql_stmt_close} {
    const unsigned int protocol = MYSQL_PROTOCOL_TCP;
    mysql_optionsv(connection_.get(), MYSQL_OPT_PROTOCOL, &protocol);
    mysql_optionsv(connection_.get(), MYSQL_SET_CHARSET_NAME, "utf8mb4");
    if (mysql_real_connect(connection_.get(), required("MYSQL_HOST").c_str(), required("MYSQL_USER").c_str(),
                           optional("MYSQL_PASSWORD", "").c_str(), required("MYSQL_DATABASE").c_str(),
                           static_cast<unsigned int>(number("MYSQL_PORT", 3306)), nullptr, 0) == nullptr) {
        throw std::runtime_error{mysql_error(connection_.get())};
    }
    statement_.reset(mysql_stmt_init(connection_.get()));
    check(mysql_stmt_prepare(statement_.get(), FIND.data(), FIND.size()) != 0);
}

std::optional<std::string> LookupConnection::find(const std::string& id) {
    MYSQL_BIND parameter{};
    parameter.buffer_type = MYSQL_TYPE_STRING;
    parameter.buffer = const_cast<char*>(id.data());
    parameter.buffer_length = id.size();
    check(mysql_stmt_bind_param(statement_.get(), &parameter) != 0);
    check(mysql_stmt_execute(statement_.get()) != 0);

    // The length of the text first, then the text.
    unsigned long length = 0;
    MYSQL_BIND column{};
    column.buffer_type = MYSQL_TYPE_STRING;
    column.length = &length;
    check(mysql_stmt_bind_result(statement_.get(), &column) != 0);
    check(mysql_stmt_store_result(statement_.get()) != 0);
    std::optional<std::string> sku;
    const int fetched = mysql_stmt_fetch(statement_.get());
    check(fetched == 1);
    if (fetched != MYSQL_NO_DATA) {
        sku.emplace(length, '\0');
        column.buffer = sku->data();
        column.buffer_length = length;
        check(mysql_stmt_fetch_column(statement_.get(), &column, 0, 0) != 0);
    }
    check(mysql_stmt_free_result(statement_.get()) != 0);
    return sku;
}

void LookupConnection::check(bool failed) {
    if (failed) {
        usable_ = false;
        throw std::runtime_error{mysql_stmt_error(statement_.get())};
    }
}

Candidates::Candidates() {
    const std::string text = required("WEBDYNO_SKUS");
    std::size_t start = 0;
    for (std::size_t comma; (comma = text.find(',', start)) != std::string::npos; start = comma + 1) {
        ids_.push_back(text.substr(start, comma - start));
    }
    ids_.push_back(text.substr(start));
}

const std::string& Candidates::draw() const {
    return ids_[random_integer(0, static_cast<int>(ids_.size()) - 1)];
}

void initialise_lookups() {
    if (mysql_library_init(0, nullptr, nullptr) != 0) {
        refuse("MariaDB's library cannot be used");
    }
}
