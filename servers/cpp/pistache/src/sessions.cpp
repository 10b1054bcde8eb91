#include <openssl/crypto.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <array>
#include <optional>
#include <stdexcept>

#include "answers.hpp"
#include "apps.hpp"
#include "digests.hpp"
#include "environment.hpp"
#include "rows.hpp"

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

/// The session's id in a cookie, if its signature is ours.
std::optional<std::string> session(const Request& request, const std::string& secret) {
    if (!request.cookies().has(COOKIE)) {
        return std::nullopt;
    }
    const std::string value = request.cookies().get(COOKIE).value;
    const std::size_t dot = value.find('.');
    if (dot == std::string::npos) {
        return std::nullopt;
    }
    const std::string uid = value.substr(0, dot);
    const std::string right = signature(uid, secret);
    const std::string given = value.substr(dot + 1);
    // Takes as long for a wrong signature as for a right one.
    if (given.size() != right.size() || CRYPTO_memcmp(given.data(), right.data(), right.size()) != 0) {
        return std::nullopt;
    }
    return uid;
}

/// Counts a visit in the row of a session, which the first visit inserts.
std::int64_t count_visit(const std::string& uid) {
    const auto held = read_session(uid);
    auto data = held ? nlohmann::json::parse(*held) : nlohmann::json::object();
    const std::int64_t count = data.value("count", std::int64_t{0}) + 1;
    data["count"] = count;
    if (held) {
        update_session(uid, data.dump());
    } else {
        insert_session(uid, data.dump());
    }
    return count;
}

}  // namespace

void session_counter(Pistache::Rest::Router& router) {
    const std::string secret = required("WEBDYNO_SECRET");
    Pistache::Rest::Routes::Get(router, "/", handler([secret](const Request& request, Response& response) {
        auto uid = session(request, secret);
        if (!uid) {
            uid = new_uid();
            Pistache::Http::Cookie cookie{COOKIE, *uid + "." + signature(*uid, secret)};
            cookie.path = "/";
            cookie.httpOnly = true;
            cookie.ext.emplace("SameSite", "Lax");
            response.cookies().add(cookie);
        }
        send_text(response, "Count is " + std::to_string(count_visit(*uid)));
    }));
}
