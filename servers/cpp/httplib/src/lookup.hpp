#pragma once

#include <mysql.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

/// A connection to MariaDB with the statement that finds a row, prepared once.
class LookupConnection {
public:
    LookupConnection();

    /// Whether no error left it in a state that is not known.
    bool is_usable() const { return usable_; }

    /// The sku_id of the row of `id`, as it is stored, if there is one.
    std::optional<std::string> find(const std::string& id);

private:
    /// Throws what the statement says of its failure.
    void check(bool failed);

    std::unique_ptr<MYSQL, decltype(&mysql_close)> connection_;
    std::unique_ptr<MYSQL_STMT, decltype(&mysql_stmt_close)> statement_;
    bool usable_ = true;
};

/// The ids in WEBDYNO_SKUS.
class Candidates {
public:
    Candidates();

    /// One of them, all equally likely.
    const std::string& draw() const;

private:
    std::vector<std::string> ids_;
};

/// Initialises MariaDB's library, before any thread is made, which it asks for.
void initialise_lookups();
