#pragma once

#include <string>

/// The last of `rounds` digests, in hexadecimal: SHA-256 of the file and, from the second on, the one before.
std::string digest_chain(const std::string& file, int rounds);
