"""A service in a language whose build makes a program: Go, Rust, Swift, Elixir."""
