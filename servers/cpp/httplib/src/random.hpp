#pragma once

#include <random>

/// A random integer, uniform over `low` to `high`, both included; each thread has a generator of its own.
inline int random_integer(int low, int high) {
    thread_local std::mt19937_64 generator{std::random_device{}()};
    return std::uniform_int_distribution<int>{low, high}(generator);
}
