"""A service that is all work, on the port given: answers each byte after a hash of 256 kB."""

import hashlib
import selectors
import socket
import sys

PIECE = bytes(1 << 18)

listener = socket.create_server(("127.0.0.1", int(sys.argv[1])), backlog=256)
chosen = selectors.DefaultSelector()
chosen.register(listener, selectors.EVENT_READ)
while True:
    for key, _ in chosen.select():
        if key.fileobj is listener:
            chosen.register(listener.accept()[0], selectors.EVENT_READ)
            continue
        assert isinstance(key.fileobj, socket.socket)
        if not key.fileobj.recv(1):
            chosen.unregister(key.fileobj)
            key.fileobj.close()
            continue
        hashlib.sha256(PIECE).digest()
        key.fileobj.sendall(b"!")
