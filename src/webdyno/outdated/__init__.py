"""What servers are built from, and which of it is behind its newest release: each ecosystem's own
client is asked, and changes the server's files where an update is wanted.
"""
