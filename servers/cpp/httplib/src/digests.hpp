#pragma once

#include <cstddef>
#include <string>

/// Bytes in hexadecimal.
std::string hexadecimal(const unsigned char* bytes, std::size_t count);

/// The last of `rounds` digests, in hexadecimal: SHA-256 of the file and, from the second on, the one before.
std::string digest_chain(const std::string& file, int rounds);
