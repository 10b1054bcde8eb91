"""How the load that counts is made: a strategy a kind of load, each in a file of its own."""
