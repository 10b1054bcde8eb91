"""How a service is told its port and other variables."""
