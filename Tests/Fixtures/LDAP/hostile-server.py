"""A directory server that breaks the protocol.

`hostile-server.py MODE` prints its port on 127.0.0.1, and ends at the end of its input.
"""
import socket
import sys
import threading


def element(tag, content):
    size = len(content)
    return bytes([tag]) + (bytes([size]) if size < 128 else b"\x84" + size.to_bytes(4, "big")) + content


def message(number, operation):
    return element(0x30, element(2, bytes([number])) + operation)


def result(tag, code=0, diagnostic=b""):
    return element(tag, element(10, bytes([code])) + element(4, b"") + element(4, diagnostic))


def entry(number, name, attributes):
    parts = [element(0x30, element(4, key) + element(0x31, b"".join(element(4, value) for value in values)))
             for key, values in attributes]
    return message(number, element(0x64, element(4, name) + element(0x30, b"".join(parts))))


def bound(connection):
    """Accepts a bind, and waits for the next request."""
    connection.recv(1000)
    connection.sendall(message(1, result(0x61)))
    connection.recv(9000)


def serve(connection, mode):
    if mode == "garbage":
        connection.recv(1000)
        connection.sendall(b"\xde\xad\xbe\xef" * 1000)
    elif mode == "http":
        connection.recv(1000)
        connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    elif mode == "huge":
        connection.recv(1000)
        connection.sendall(b"\x30\x84\x7f\xff\xff\xff" + b"A" * 100000)
    elif mode == "diagnostic":
        connection.recv(1000)
        connection.sendall(message(1, result(0x61, 53, b"\x1b[2J\x1b]0;x\x07no\nmore\xff")))
    elif mode == "silent":
        connection.recv(1000)
    elif mode == "broken":
        bound(connection)
        connection.sendall(entry(2, b"uid=1", [(b"mail", [b"x@example.com"])]))
        connection.close()
        return
    elif mode == "endless":
        bound(connection)
        block = b"".join(entry(2, b"uid=%d" % n, [(b"mail", [b"x%d@example.com" % n])]) for n in range(100))
        while True:
            connection.sendall(block)
    elif mode == "odd":
        bound(connection)
        connection.sendall(entry(2, b"\xff\xfe", [(b"mail", [b"x@example.com"]), (b"cn", [b"X\0Y", b""]), (b"", [b"q"]), (b"sn", [])]))
        connection.sendall(entry(2, b"", [(b"mail", [b"z@example.com"])]))
        connection.sendall(message(2, element(0x64, element(4, b"uid=3") + b"\x30\x05abc")))
        connection.sendall(message(7, result(0x65)))
        connection.sendall(message(2, result(0x65)))
    if mode != "close":
        connection.recv(1000)
        threading.Event().wait()
    connection.close()


def accept(listener, mode):
    while True:
        connection, _ = listener.accept()

        def run(connection=connection):
            try:
                serve(connection, mode)
            except OSError:
                pass

        threading.Thread(target=run, daemon=True).start()


listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
threading.Thread(target=accept, args=(listener, sys.argv[1]), daemon=True).start()
sys.stdin.read()
