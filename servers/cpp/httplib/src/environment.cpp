#include "environment.hpp"

#include <charconv>
#include <cstdlib>
#include <iostream>

void refuse(const std::string& message) {
    std::cerr << message << '\n';
    std::exit(2);
}

std::string optional(const std::string& name, const std::string& otherwise) {
    const char* value = std::getenv(name.c_str());
    return value == nullptr || *value == '\0' ? otherwise : value;
}

std::string required(const std::string& name) {
    const char* value = std::getenv(name.c_str());
    if (value == nullptr || *value == '\0') {
        refuse(name + " is not set");
    }
    return value;
}

int number(const std::string& name, int otherwise) {
    const char* value = std::getenv(name.c_str());
    if (value == nullptr || *value == '\0') {
        return otherwise;
    }
    const std::string text = value;
    int found = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), found);
    if (error != std::errc{} || end != text.data() + text.size() || found < 0) {
        refuse(name + " is '" + text + "', not a whole number");
    }
    return found;
}
