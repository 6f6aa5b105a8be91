"""Joins standard input and output to the function's port. Limner runs it with `docker exec` on another computer."""
import os
import socket
import sys
import threading
import time

RETRY_SECONDS = 0.05
# The function may not listen yet.
GIVE_UP_SECONDS = 1.5
CHUNK_BYTES = 65536


def dial():
    until = time.time() + GIVE_UP_SECONDS
    while True:
        try:
            return socket.create_connection(("127.0.0.1", int(os.environ.get("LIMNER_PORT", "8080"))))
        except OSError:
            if time.time() > until:
                sys.exit(1)
            time.sleep(RETRY_SECONDS)


def send(connection):
    try:
        while True:
            piece = os.read(0, CHUNK_BYTES)
            if not piece:
                break
            connection.sendall(piece)
        connection.shutdown(socket.SHUT_WR)
    except OSError:
        os._exit(1)


def main():
    connection = dial()
    thread = threading.Thread(target=send, args=(connection,))
    thread.daemon = True
    thread.start()
    try:
        while True:
            piece = connection.recv(CHUNK_BYTES)
            if not piece:
                break
            while piece:
                piece = piece[os.write(1, piece):]
    except OSError:
        pass
    os._exit(0)


main()
