#!/usr/bin/env python3
"""A CardDAV server on the loopback interface, for one user, whose address books have any name and whose answers have any
status. Prints its port, keeps one JSON object per request in LOG, and ends with its standard input.

  faulty-server.py LOG [--book HREF]… [--refuse METHOD=STATUS[=PART OF THE PATH]]… [--certificate FILE]
    [--principal URL] [--home URL] [--redirect URL]

HREF is the last part of the URL of an address book as it stands in the answer, still encoded, or a whole URL. Each
address book has one card. All requests are redirected to a URL, if there is one. FILE has a certificate and its key; the server then speaks TLS.
"""
import argparse, hashlib, json, os, ssl, sys, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit
from xml.etree import ElementTree
from xml.sax.saxutils import escape

parser = argparse.ArgumentParser()
parser.add_argument("log")
parser.add_argument("--book", action="append", default=[])
parser.add_argument("--refuse", action="append", default=[])
parser.add_argument("--certificate")
parser.add_argument("--principal", default="/user/")
parser.add_argument("--home", default="/home/")
parser.add_argument("--redirect")
options = parser.parse_args()
log = open(options.log, "a")
books = {}
for number, book in enumerate(options.book):
    path = urlsplit(book).path if "://" in book else f"/home/{book}/"
    name = f"theirs-{number}.vcf"
    card = f"BEGIN:VCARD\r\nVERSION:3.0\r\nUID:theirs-{os.getpid()}-{number}\r\nN:Server;Given{number};;;\r\nFN:Given{number} Server\r\nEND:VCARD\r\n"
    books[path] = (book if "://" in book else path, {path + name: card.encode()})


def tag(card):
    return f'"{hashlib.sha256(card).hexdigest()[:16]}"'


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body="", **headers):
        self.send_response(status)
        for name, value in {"Content-Length": len(body.encode()), "Content-Type": "application/xml; charset=utf-8", **headers}.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(body.encode())

    def found(self, responses):
        items = "".join(
            f"<response><href>{escape(href)}</href><propstat><prop>{properties}</prop>"
            "<status>HTTP/1.1 200 OK</status></propstat></response>" for href, properties in responses)
        self.answer(207, f'<multistatus xmlns="DAV:" xmlns:c="urn:ietf:params:xml:ns:carddav">{items}</multistatus>')

    def handle_request(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        if len(body) < length:
            # vdirsyncer stops in the middle of an upload when it cannot sync another address book.
            self.close_connection = True
            return
        body = body.decode("utf8", "replace")
        known = "Authorization" in self.headers
        log.write(json.dumps({"method": self.command, "path": self.path, "body": body, "password": known}) + "\n")
        log.flush()
        for refusal in options.refuse:
            method, status, *part = refusal.split("=", 2)
            if method in (self.command, "*") and (not part or part[0] in self.path):
                return self.answer(int(status))
        if options.redirect:
            return self.answer(307, Location=options.redirect)
        book = next((items for path, (_, items) in books.items() if self.path.startswith(path)), {})
        if self.command == "PUT":
            book[self.path] = body.encode()
            return self.answer(201, ETag=tag(book[self.path]))
        if self.command == "DELETE":
            return self.answer(204 if book.pop(self.path, None) else 404)
        if self.command == "REPORT":
            wanted = [element.text for element in ElementTree.fromstring(body).iter("{DAV:}href")]
            return self.found([
                (href, f"<getetag>{escape(tag(book[href]))}</getetag><c:address-data>{escape(book[href].decode())}</c:address-data>")
                for href in wanted if href in book])
        if self.command != "PROPFIND":
            return self.answer(200, DAV="1, 3, addressbook")
        if "current-user-principal" in body:
            return self.found([(self.path, f"<current-user-principal><href>{options.principal}</href></current-user-principal>")])
        if "addressbook-home-set" in body:
            return self.found([("/user/", f"<c:addressbook-home-set><href>{options.home}</href></c:addressbook-home-set>")])
        kind = "<resourcetype><collection/>{}</resourcetype>"
        if self.path == "/home/":
            return self.found(
                [("/home/", kind.format(""))] + [(href, kind.format("<c:addressbook/>")) for href, _ in books.values()])
        self.found([(self.path, kind.format(""))] + [
            (path, f"<getcontenttype>text/vcard</getcontenttype><getetag>{escape(tag(card))}</getetag>")
            for path, card in book.items()])

    do_PROPFIND = do_REPORT = do_PUT = do_DELETE = do_PROPPATCH = do_MKCOL = do_GET = do_OPTIONS = handle_request


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
if options.certificate:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(options.certificate)
    server.socket = context.wrap_socket(server.socket, server_side=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
