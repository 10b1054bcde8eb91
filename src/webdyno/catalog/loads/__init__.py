"""How requests arrive, within which bounds, and how long a server is warmed up before."""
