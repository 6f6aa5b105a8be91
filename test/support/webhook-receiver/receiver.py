"""A webhook receiver in another language, with nothing but Python's standard library.

Verifies both signatures over the bytes that came, and refuses what was recorded and sent again. Prints a line of JSON
when it listens ({"url": ...}), and one for each request:
{"event", "webhook_id", "message_id", "body_signature", "standard_signature", "fresh", "repeat", "same_bytes"}.

    python3 receiver.py SECRET
"""

import base64
import hashlib
import hmac
import json
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_SECONDS = 300


def standard_key(secret):
    prefix = "whsec_"
    return base64.b64decode(secret[len(prefix):]) if secret.startswith(prefix) else secret.encode()


def body_signature_fits(secret, body, header):
    expected = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, header)


def standard_signature_fits(secret, message_id, timestamp, body, header):
    signed = b".".join([message_id.encode(), timestamp.encode(), body])
    expected = base64.b64encode(hmac.new(standard_key(secret), signed, hashlib.sha256).digest()).decode()
    known = [part[len("v1,"):] for part in header.split(" ") if part.startswith("v1,")]
    return any(hmac.compare_digest(expected, one) for one in known)


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    secret = ""
    seen = set()

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        message_id = self.headers.get("webhook-id", "")
        timestamp = self.headers.get("webhook-timestamp", "0")
        payload = json.loads(body)
        report = {
            "event": payload["event"],
            "webhook_id": payload.get("webhook_id"),
            "message_id": message_id,
            "body_signature": body_signature_fits(self.secret, body, self.headers.get("X-Signature-256", "")),
            "standard_signature": standard_signature_fits(
                self.secret, message_id, timestamp, body, self.headers.get("webhook-signature", "")
            ),
            "fresh": abs(time.time() - int(timestamp)) <= TOLERANCE_SECONDS,
            "repeat": message_id in self.seen,
            "same_bytes": json.dumps(payload).encode() == body,
        }
        self.seen.add(message_id)
        print(json.dumps(report), flush=True)
        is_good = report["body_signature"] and report["standard_signature"] and report["fresh"]
        answer = b"thanks" if is_good else b"the signature does not fit"
        self.send_response(200 if is_good else 500)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


def main():
    Receiver.secret = sys.argv[1] if len(sys.argv) > 1 else ""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    print(json.dumps({"url": f"http://127.0.0.1:{server.server_address[1]}/"}), flush=True)
    server.serve_forever()


main()
