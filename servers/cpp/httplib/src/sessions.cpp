#include <openssl/crypto.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <rapidjson/document.h>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>

#include "answers.hpp"
#include "apps.hpp"
#include "database.hpp"
#include "digests.hpp"
#include "environment.hpp"

namespace {

const std::string COOKIE = "session";

/// The signature of a session's id: HMAC-SHA256 in hexadecimal.
std::string signature(const std::string& uid, const std::string& secret) {
    std::array<unsigned char, 32> code{};
    unsigned int length = 0;
    HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()),
         reinterpret_cast<const unsigned char*>(uid.data()), uid.size(), code.data(), &length);
    return hexadecimal(code.data(), length);
}

std::string new_uid() {
    std::array<unsigned char, 16> bytes{};
    if (RAND_bytes(bytes.data(), bytes.size()) != 1) {
        throw std::runtime_error{"no random bytes"};
    }
    return hexadecimal(bytes.data(), bytes.size());
}

/// The value of the cookie with this name; cpp-httplib does not read cookies.
std::optional<std::string> cookie(const httplib::Request& request) {
    const std::string header = request.get_header_value("Cookie");
    std::size_t start = 0;
    while (start < header.size()) {
        const std::size_t end = std::min(header.find(';', start), header.size());
        const std::size_t name = std::min(header.find_first_not_of(' ', start), end);
        if (header.compare(name, COOKIE.size() + 1, COOKIE + "=") == 0) {
            const std::size_t value = name + COOKIE.size() + 1;
            return header.substr(value, end - value);
        }
        start = end + 1;
    }
    return std::nullopt;
}

/// The session's id in a cookie, if its signature is ours.
std::optional<std::string> session(const httplib::Request& request, const std::string& secret) {
    const auto value = cookie(request);
    const std::size_t dot = value ? value->find('.') : std::string::npos;
    if (dot == std::string::npos) {
        return std::nullopt;
    }
    const std::string uid = value->substr(0, dot);
    const std::string right = signature(uid, secret);
    const std::string given = value->substr(dot + 1);
    // Takes as long for a wrong signature as for a right one.
    if (given.size() != right.size() || CRYPTO_memcmp(given.data(), right.data(), right.size()) != 0) {
        return std::nullopt;
    }
    return uid;
}

/// Counts a visit in the row of a session, which the first visit inserts.
std::int64_t count_visit(const std::string& uid) {
    const Lease connection{pool()};
    const Rows rows = connection->query("SELECT data FROM usersessions WHERE uid = $1", {uid});
    const bool first = rows.count() == 0;
    rapidjson::Document data{rapidjson::kObjectType};
    if (!first) {
        const std::string_view held = rows.text(0, 0);
        data.Parse(held.data(), held.size());
        if (!data.IsObject()) {
            throw std::runtime_error{"the row of a session holds no object"};
        }
    }
    const auto found = data.FindMember("count");
    const std::int64_t count = (found != data.MemberEnd() && found->value.IsInt64() ? found->value.GetInt64() : 0) + 1;
    if (found == data.MemberEnd()) {
        data.AddMember("count", count, data.GetAllocator());
    } else {
        found->value.SetInt64(count);
    }
    rapidjson::StringBuffer text;
    Json json{text};
    data.Accept(json);
    connection->query(first ? "INSERT INTO usersessions (uid, data) VALUES ($1, $2)"
                            : "UPDATE usersessions SET data = $2 WHERE uid = $1",
                      {uid, text.GetString()});
    return count;
}

}  // namespace

void session_counter(httplib::Server& server) {
    const std::string secret = required("WEBDYNO_SECRET");
    server.Get("/", [secret](const httplib::Request& request, httplib::Response& response) {
        auto uid = session(request, secret);
        if (!uid) {
            uid = new_uid();
            response.set_header("Set-Cookie", COOKIE + "=" + *uid + "." + signature(*uid, secret) +
                                                  "; Path=/; HttpOnly; SameSite=Lax");
        }
        send_text(response, "Count is " + std::to_string(count_visit(*uid)));
    });
}
