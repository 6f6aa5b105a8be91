"""HTTP server of a model function: accepts requests, passes them to worker processes, and returns their answers.

Python 3.6 to 3.13, standard library only, because it runs inside images of other people. Settings are LIMNER_*
variables. The function's code runs in `worker.py`, one process per worker; this process never imports it.
"""

import json
import os
import queue
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import uuid
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, HTTPServer
from socketserver import ThreadingMixIn
from urllib.parse import parse_qsl, urlsplit

HEALTH_PATH = "/__internal/health"
# Links only: Limner asks for the reachable addresses from inside the container.
REACH_PATH = "/__internal/reach"
REACH_TIMEOUT_SECONDS = 1.0
# Idle connections for calls. If Limner does not listen, the next attempt follows after a delay.
SPARE_CONNECTIONS = 2
REDIAL_SECONDS = 0.2
# File next to the socket with the seconds without a call after which the function exits while Limner is not running.
REST_FILE = "rest-after-seconds"
LOOK_FOR_REST_SECONDS = 0.5
FRAME = struct.Struct(">IQ")
# After more crashes the container ends, and Docker's restart policy decides.
CRASHES_ALLOWED = 5
CRASH_WINDOW_SECONDS = 60.0
# Longer headers are dropped as in Nuclio, because clients would reject them.
MAX_LOG_HEADER_BYTES = 4096
# Maximum bytes that are read and discarded from a rejected request, so that its client receives the answer.
MAX_DISCARDED_BYTES = 512 * 1024 * 1024
LEVELS = {"debug": 0, "info": 1, "warning": 2, "warn": 2, "error": 3}


def number(name, fallback):
    try:
        return int(os.environ.get(name, ""))
    except ValueError:
        return fallback


class Settings(object):
    def __init__(self):
        self.port = number("LIMNER_PORT", 8080)
        self.address = os.environ.get("LIMNER_ADDRESS", "0.0.0.0")
        # Limner's socket, used instead of listening on a port.
        self.link = os.environ.get("LIMNER_LINK", "")
        # True if Limner calls by `docker exec`, because it runs on another computer.
        self.is_bridged = os.environ.get("LIMNER_BRIDGE", "") == "1"
        self.workers = max(1, number("LIMNER_WORKERS", 1))
        self.worker_wait_seconds = number("LIMNER_WORKER_WAIT_MS", 10000) / 1000.0
        self.event_timeout_seconds = number("LIMNER_EVENT_TIMEOUT_MS", 30000) / 1000.0
        self.max_body_bytes = number("LIMNER_MAX_BODY_BYTES", 32 * 1024 * 1024)


output_lock = threading.Lock()


def write_record(record):
    """Writes one JSON object per line to standard output, which Docker stores as the container's log."""
    line = json.dumps(record, default=str) + "\n"
    with output_lock:
        try:
            sys.stdout.write(line)
            sys.stdout.flush()
        except (OSError, ValueError):
            pass


def log(level, message, **details):
    record = {"datetime": datetime.now(timezone.utc).isoformat(), "level": level, "message": message}
    if details:
        record["with"] = details
    write_record(record)


class Use(object):
    """Number of running calls, and time of the last start or end of a call."""

    def __init__(self):
        self.lock = threading.Lock()
        self.calls = 0
        self.last = time.monotonic()

    def __enter__(self):
        with self.lock:
            self.calls += 1

    def __exit__(self, *_problem):
        with self.lock:
            self.calls -= 1
            self.last = time.monotonic()

    def idle_seconds(self):
        with self.lock:
            return 0.0 if self.calls > 0 else time.monotonic() - self.last


class WorkerGone(Exception):
    pass


class Worker(object):
    """A process that runs the function. It handles one request at a time and is replaced if it hangs or exits."""

    def __init__(self, index, pool):
        self.index = index
        self.pool = pool
        self.answers = queue.Queue()
        self.logs = []
        self.ready = False
        self.ending = False
        ours, theirs = socket.socketpair()
        self.channel = ours
        environment = dict(os.environ)
        environment["LIMNER_CHANNEL"] = str(theirs.fileno())
        environment["LIMNER_WORKER_ID"] = str(index)
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "worker.py")
        self.process = subprocess.Popen(
            [sys.executable, "-u", script],
            pass_fds=[theirs.fileno()],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        theirs.close()
        start_thread(self.read_frames)
        start_thread(self.read_lines, self.process.stdout, "stdout", "info")
        start_thread(self.read_lines, self.process.stderr, "stderr", "info")

    def read_lines(self, stream, name, level):
        """Turns the function's output into log records."""
        for line in iter(stream.readline, b""):
            text = line.decode("utf-8", "replace").rstrip("\r\n")
            if text:
                self.take_record({"level": level, "message": text, "with": {"stream": name}})

    def take_record(self, record):
        record.setdefault("datetime", datetime.now(timezone.utc).isoformat())
        record["worker"] = self.index
        self.logs.append(record)
        write_record(record)

    def read_exactly(self, count):
        pieces = []
        while count > 0:
            piece = self.channel.recv(min(count, 1 << 20))
            if not piece:
                raise EOFError()
            pieces.append(piece)
            count -= len(piece)
        return b"".join(pieces)

    def read_frames(self):
        try:
            while True:
                head_size, body_size = FRAME.unpack(self.read_exactly(FRAME.size))
                head = json.loads(self.read_exactly(head_size).decode("utf-8"))
                body = self.read_exactly(body_size)
                if head["type"] == "log":
                    self.take_record(head["record"])
                elif head["type"] == "ready":
                    self.ready = True
                    self.pool.became_ready(self)
                else:
                    self.answers.put((head, body))
        except (EOFError, OSError):
            pass
        code = self.process.wait()
        self.answers.put(None)
        self.pool.has_ended(self, code)

    def ask(self, head, body, timeout):
        """Returns the answer's head and body. Raises queue.Empty on a timeout, WorkerGone if the process ends."""
        self.logs = []
        data = json.dumps(head).encode("utf-8")
        try:
            self.channel.sendall(FRAME.pack(len(data), len(body)) + data)
            self.channel.sendall(body)
        except OSError:
            raise WorkerGone()
        answer = self.answers.get(timeout=timeout)
        if answer is None:
            raise WorkerGone()
        return answer

    def kill(self):
        self.ending = True
        try:
            self.process.kill()
        except OSError:
            pass


def start_thread(work, *arguments):
    thread = threading.Thread(target=work, args=arguments)
    thread.daemon = True
    thread.start()
    return thread


def end_of(code):
    if code < 0:
        hint = " (perhaps the memory limit)" if code == -signal.SIGKILL else ""
        return "signal {}{}".format(-code, hint)
    return "exit code {}".format(code)


class Pool(object):
    def __init__(self, settings):
        self.settings = settings
        self.idle = queue.Queue()
        self.lock = threading.Lock()
        self.workers = {}
        self.started = False
        self.stopping = False
        self.crashes = []
        self.use = Use()

    def start(self):
        with self.lock:
            for index in range(self.settings.workers):
                self.workers[index] = Worker(index, self)

    def became_ready(self, worker):
        with self.lock:
            if not self.started and all(one.ready for one in self.workers.values()):
                self.started = True
                # A start counts as a call.
                with self.use:
                    pass
                log("info", "The function is ready", workers=len(self.workers))
        self.idle.put(worker)

    def has_ended(self, worker, code):
        if self.stopping:
            return
        if not worker.ending:
            log("error", "Worker {} exited with {}".format(worker.index, end_of(code)))
        if not worker.ready:
            log("error", "The function could not be initialized; its container exits")
            end_process(1)
        now = time.time()
        with self.lock:
            if not worker.ending:
                self.crashes = [then for then in self.crashes if now - then < CRASH_WINDOW_SECONDS] + [now]
                if len(self.crashes) > CRASHES_ALLOWED:
                    log("error", "The function crashes repeatedly; its container exits")
                    end_process(1)
            self.workers[worker.index] = Worker(worker.index, self)

    def take(self):
        """Returns an idle worker. Raises queue.Empty if none becomes free in time."""
        limit = time.time() + self.settings.worker_wait_seconds
        while True:
            left = limit - time.time()
            worker = self.idle.get(timeout=left) if left > 0 else self.idle.get_nowait()
            if worker.process.poll() is None and self.workers.get(worker.index) is worker:
                return worker

    def give_back(self, worker):
        self.idle.put(worker)

    def stop(self):
        self.stopping = True
        for worker in list(self.workers.values()):
            worker.kill()


def end_process(code):
    sys.stdout.flush()
    os._exit(code)


class TooLarge(Exception):
    pass


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "Limner"
    sys_version = ""
    # Small answers are sent without delay.
    disable_nagle_algorithm = True
    timeout = 300

    def __getattr__(self, name):
        # Functions handle every HTTP method.
        if name.startswith("do_"):
            return self.handle_event
        raise AttributeError(name)

    def log_message(self, *_arguments):
        pass

    def handle_event(self):
        if urlsplit(self.path).path == HEALTH_PATH:
            ready = self.server.pool.started
            self.answer(200 if ready else 503, json_body({"ready": ready}), "application/json")
            return
        try:
            body = self.read_body()
        except TooLarge:
            limit = self.server.settings.max_body_bytes
            self.close_connection = True
            self.answer(
                413,
                json_body({"error": "The request is larger than the {} bytes that this function accepts".format(limit)}),
                "application/json",
            )
            return
        except ValueError:
            self.close_connection = True
            self.answer(400, json_body({"error": "The length of the request is not clear"}), "application/json")
            return
        is_isolated = self.server.settings.link or self.server.settings.is_bridged
        if is_isolated and urlsplit(self.path).path == REACH_PATH:
            question = json.loads(body.decode("utf-8"))
            self.answer(200, json_body({"reached": reached(question["hosts"], question["port"])}), "application/json")
            return
        with self.server.pool.use:
            self.run_event(body)

    def read_body(self):
        limit = self.server.settings.max_body_bytes
        if "chunked" in self.headers.get("Transfer-Encoding", "").lower():
            return self.read_chunks(limit)
        length = int(self.headers.get("Content-Length") or 0)
        if length < 0:
            raise ValueError("negative")
        if length > limit:
            self.discard(length)
            raise TooLarge()
        body = self.rfile.read(length) if length else b""
        if len(body) < length:
            raise ValueError("shorter than it said")
        return body

    def discard(self, length):
        left = min(length, MAX_DISCARDED_BYTES)
        self.connection.settimeout(10)
        try:
            while left > 0:
                piece = self.rfile.read(min(left, 1 << 16))
                if not piece:
                    return
                left -= len(piece)
        except OSError:
            pass

    def read_chunks(self, limit):
        pieces = []
        total = 0
        while True:
            size = int(self.rfile.readline(1024).split(b";", 1)[0].strip() or b"x", 16)
            if size == 0:
                while self.rfile.readline(65536).strip():
                    pass
                return b"".join(pieces)
            total += size
            if total > limit:
                self.discard(MAX_DISCARDED_BYTES if size > MAX_DISCARDED_BYTES else size)
                raise TooLarge()
            pieces.append(self.rfile.read(size))
            self.rfile.readline(1024)

    def header_of(self, name):
        """Reads a platform header with either prefix. Returns its value and the platform."""
        for platform in ("Nuclio", "Limner"):
            value = self.headers.get("X-{}-{}".format(platform, name))
            if value is not None:
                return value, platform
        return None, "Limner"

    def run_event(self, body):
        pool = self.server.pool
        settings = self.server.settings
        identity = self.header_of("Invocation-Id")[0] or uuid.uuid4().hex
        level, platform = self.header_of("Log-Level")
        try:
            worker = pool.take()
        except queue.Empty:
            log("warning", "No worker became free in time", invocation=identity)
            self.answer(503, b"", "text/plain")
            return
        parts = urlsplit(self.path)
        head = {
            "id": identity,
            "method": self.command,
            "path": parts.path,
            "url": self.path,
            "fields": dict(parse_qsl(parts.query, keep_blank_values=True)),
            "headers": {name: value for name, value in self.headers.items()},
            "content_type": self.headers.get("Content-Type", ""),
            "timestamp": time.time(),
        }
        try:
            answer, content = worker.ask(head, body, settings.event_timeout_seconds)
        except queue.Empty:
            log("error", "The handler took too long; its worker is replaced", invocation=identity, worker=worker.index)
            worker.kill()
            self.answer(408, json_body({"error": "handler timed out"}), "application/json")
            return
        except WorkerGone:
            code = worker.process.wait()
            self.answer(
                500,
                json_body({"error": "The worker exited with {} while it handled the request".format(end_of(code))}),
                "application/json",
            )
            return
        records = worker.logs
        pool.give_back(worker)
        headers = dict(answer.get("headers") or {})
        if level is not None:
            add_logs(headers, "X-{}-Logs".format(platform), records, level)
        self.answer(answer["status"], content, answer["content_type"], headers)

    def answer(self, status, body, content_type, headers=None):
        lines = ["HTTP/1.1 {} {}".format(status, self.responses.get(status, ("",))[0])]
        fields = {"Content-Type": content_type, "Content-Length": str(len(body)), "Server": self.server_version}
        for name, value in (headers or {}).items():
            if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                fields[clean(name)] = clean(value)
        if self.close_connection:
            fields["Connection"] = "close"
        lines.extend("{}: {}".format(name, value) for name, value in fields.items())
        data = ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "replace")
        if self.command == "HEAD":
            body = b""
        try:
            self.wfile.write(data + body if len(body) < 65536 else data)
            if len(body) >= 65536:
                self.wfile.write(body)
        except OSError:
            self.close_connection = True


def reached(hosts, port):
    """Returns the hosts that accept a connection on the port."""
    found = []

    def attempt(host):
        try:
            socket.create_connection((host, port), REACH_TIMEOUT_SECONDS).close()
            found.append(host)
        except OSError:
            pass

    threads = [start_thread(attempt, host) for host in hosts]
    for thread in threads:
        thread.join(REACH_TIMEOUT_SECONDS * 3)
    return found


def clean(text):
    return str(text).replace("\r", " ").replace("\n", " ")


def json_body(value):
    return json.dumps(value).encode("utf-8")


def add_logs(headers, name, records, level):
    least = LEVELS.get(str(level).lower(), 0)
    chosen = [record for record in records if LEVELS.get(record.get("level"), 1) >= least]
    text = json.dumps(chosen, default=str)
    if len(text) < MAX_LOG_HEADER_BYTES:
        headers[name] = text


class LinkHandler(Handler):
    # Unix sockets have no such option.
    disable_nagle_algorithm = False


class LinkServer(ThreadingMixIn, HTTPServer):
    """Opens the connections for calls itself, because the container has no network to listen on."""

    daemon_threads = True

    def __init__(self, settings, pool):
        HTTPServer.__init__(self, ("", 0), LinkHandler, bind_and_activate=False)
        self.settings = settings
        self.pool = pool
        self.has_dialled = False
        self.lock = threading.Lock()
        # Idle connections; 0 while Limner is not running.
        self.waiting = 0

    def serve(self):
        start_thread(self.rest_when_alone)
        for _ in range(SPARE_CONNECTIONS - 1):
            start_thread(self.dial_forever)
        self.dial_forever()

    def dial_forever(self):
        while True:
            connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                connection.connect(self.settings.link)
                self.has_dialled = True
                if self.wait_for_call(connection):
                    self.process_request(connection, ("", 0))
                    continue
            except PermissionError as error:
                if not self.has_dialled:
                    log("error", "Limner's socket cannot be used from inside the container: {}".format(error))
                    end_process(1)
            except OSError:
                pass
            connection.close()
            time.sleep(REDIAL_SECONDS)

    def wait_for_call(self, connection):
        """Returns True if a call arrived. Its data stays in the socket for the handler."""
        with self.lock:
            self.waiting += 1
        try:
            return bool(connection.recv(1, socket.MSG_PEEK))
        finally:
            with self.lock:
                self.waiting -= 1

    def rest_when_alone(self):
        """Limner stops idle functions. While it is not running, the function exits after the same time."""
        alone = 0
        while True:
            time.sleep(LOOK_FOR_REST_SECONDS)
            # Tolerates the moment between a call and the next idle connection.
            alone = 0 if self.waiting > 0 else alone + 1
            seconds = self.rest_after_seconds()
            if alone < 2 or seconds is None or not self.pool.started or self.pool.stopping:
                continue
            if self.pool.use.idle_seconds() >= seconds:
                log("info", "No call for {} s, and Limner is not running: the function exits".format(seconds))
                self.pool.stop()
                end_process(0)

    def rest_after_seconds(self):
        """Returns None for never."""
        try:
            with open(os.path.join(os.path.dirname(self.settings.link), REST_FILE)) as file:
                seconds = int(file.read())
        except (OSError, ValueError):
            return None
        return seconds if seconds > 0 else None

    def handle_error(self, _request, _address):
        # Limner has closed the connection.
        pass


class Server(ThreadingMixIn, HTTPServer):
    daemon_threads = True
    request_queue_size = 128
    allow_reuse_address = True

    def __init__(self, settings, pool):
        HTTPServer.__init__(self, (settings.address, settings.port), Handler)
        self.settings = settings
        self.pool = pool

    def server_bind(self):
        # The inherited method looks up the host name, which can take seconds without a network.
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = self.server_address[0], self.server_address[1]

    def handle_error(self, _request, _address):
        # The client has closed the connection.
        pass


def when_told(stop):
    """Calls `stop` on SIGTERM or SIGINT. Python runs signal handlers only between steps of the main thread, which may
    wait for long. The wakeup pipe is written immediately."""
    told, tell = os.pipe()
    os.set_blocking(tell, False)
    signal.set_wakeup_fd(tell)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: None)

    def wait():
        os.read(told, 1)
        stop()

    start_thread(wait)


def main():
    settings = Settings()
    pool = Pool(settings)
    server = LinkServer(settings, pool) if settings.link else Server(settings, pool)

    def stop():
        # Process 1 of a container has no default signal handlers; without these, Docker would wait and then kill it.
        pool.stop()
        end_process(0)

    when_told(stop)
    starts = {"python": sys.version.split()[0], "workers": settings.workers}
    if settings.link:
        log("info", "The function starts", **starts)
        pool.start()
        server.serve()
    else:
        log("info", "The function starts", port=server.server_port, **starts)
        pool.start()
        server.serve_forever(poll_interval=3600)


if __name__ == "__main__":
    main()
