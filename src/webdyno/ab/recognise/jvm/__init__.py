"""A service that Maven or Gradle builds."""
