"""What a trial was limited by: the server, the offered load, or what measures them."""
