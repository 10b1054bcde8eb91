"""A service in a language whose sources are run as they are: PHP, Ruby, and what Deno runs."""
