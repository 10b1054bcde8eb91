#include "digests.hpp"

#include <openssl/evp.h>

#include <array>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace {

using Digest = std::array<unsigned char, 32>;
using Context = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;

std::string read(const std::string& path) {
    std::ifstream file{path, std::ios::binary};
    if (!file) {
        throw std::runtime_error{"cannot read " + path};
    }
    // Block by block; an iterator over the stream would take it byte by byte.
    std::ostringstream content;
    content << file.rdbuf();
    return std::move(content).str();
}

}  // namespace

std::string hexadecimal(const unsigned char* bytes, std::size_t count) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (std::size_t index = 0; index < count; ++index) {
        text += digits[bytes[index] >> 4];
        text += digits[bytes[index] & 15];
    }
    return text;
}

std::string digest_chain(const std::string& file, int rounds) {
    const std::string content = read(file);
    const Context context{EVP_MD_CTX_new(), EVP_MD_CTX_free};
    Digest digest{};
    for (int round = 1; round <= rounds; ++round) {
        EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr);
        EVP_DigestUpdate(context.get(), content.data(), content.size());
        if (round > 1) {
            EVP_DigestUpdate(context.get(), digest.data(), digest.size());
        }
        EVP_DigestFinal_ex(context.get(), digest.data(), nullptr);
    }
    return hexadecimal(digest.data(), digest.size());
}
