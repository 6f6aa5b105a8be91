"""One worker of a model function: imports and initializes the handler, then answers events one at a time.

Uses an inherited socket to `server.py`. A frame consists of head length, body length, JSON head, and body. Standard
output and error belong to the function's own code.
"""

import asyncio
import importlib
import inspect
import json
import os
import socket
import struct
import sys
import threading
import traceback
import types
from datetime import datetime, timezone

FRAME = struct.Struct(">IQ")


class Channel(object):
    def __init__(self, descriptor):
        self.socket = socket.socket(fileno=descriptor)
        self.lock = threading.Lock()

    def send(self, head, body=b""):
        data = json.dumps(head, default=str).encode("utf-8")
        with self.lock:
            self.socket.sendall(FRAME.pack(len(data), len(body)) + data)
            if body:
                self.socket.sendall(body)

    def read_exactly(self, count):
        pieces = []
        while count > 0:
            piece = self.socket.recv(min(count, 1 << 20))
            if not piece:
                # The server has exited.
                os._exit(0)
            pieces.append(piece)
            count -= len(piece)
        return b"".join(pieces)

    def receive(self):
        head_size, body_size = FRAME.unpack(self.read_exactly(FRAME.size))
        head = json.loads(self.read_exactly(head_size).decode("utf-8"))
        return head, self.read_exactly(body_size)


class Logger(object):
    """`context.logger`: messages with printf arguments or named values."""

    def __init__(self, channel, bound=None):
        self._channel = channel
        self._bound = bound or {}
        self.invocation = None

    def _write(self, level, message, values):
        record = {
            "datetime": datetime.now(timezone.utc).isoformat(),
            "level": level,
            "message": str(message),
        }
        details = dict(self._bound, **values)
        if details:
            record["with"] = details
        if self.invocation is not None:
            record["invocation"] = self.invocation
        self._channel.send({"type": "log", "record": record})

    def _format(self, level, message, arguments):
        if arguments:
            try:
                message = str(message) % arguments
            except (TypeError, ValueError):
                message = " ".join([str(message)] + [str(one) for one in arguments])
        self._write(level, message, {})

    def debug(self, message, *arguments):
        self._format("debug", message, arguments)

    def info(self, message, *arguments):
        self._format("info", message, arguments)

    def warn(self, message, *arguments):
        self._format("warning", message, arguments)

    def error(self, message, *arguments):
        self._format("error", message, arguments)

    def debug_with(self, message, *_arguments, **values):
        self._write("debug", message, values)

    def info_with(self, message, *_arguments, **values):
        self._write("info", message, values)

    def warn_with(self, message, *_arguments, **values):
        self._write("warning", message, values)

    def error_with(self, message, *_arguments, **values):
        self._write("error", message, values)

    # Not part of Nuclio's logger, but familiar from Python's own.
    warning = warn

    def exception(self, message, *arguments):
        self._format("error", message, arguments)
        self._write("error", traceback.format_exc(), {})

    def bind(self, **values):
        bound = Logger(self._channel, dict(self._bound, **values))
        bound.invocation = self.invocation
        return bound


class Response(object):
    def __init__(self, headers=None, body=None, content_type=None, status_code=200):
        self.headers = headers or {}
        self.body = body
        self.status_code = status_code
        self.content_type = content_type or "text/plain"

    def __repr__(self):
        return "Response({!r}, {!r})".format(self.status_code, self.content_type)


class TriggerInfo(object):
    def __init__(self, kind="", name=""):
        self.kind = kind
        self.name = name


class Platform(object):
    kind = "local"

    def __init__(self, namespace):
        self.namespace = namespace

    def call_function(self, function_name, _event=None, **_options):
        raise NotImplementedError("Functions do not reach each other here: call {} from outside".format(function_name))

    def set_termination_callback(self, _callback):
        pass

    def set_drain_callback(self, _callback):
        pass

    def explicit_ack(self, _data):
        pass


class Context(object):
    def __init__(self, logger, worker_id, trigger, platform):
        self.logger = logger
        self.worker_id = worker_id
        self.trigger = trigger
        self.trigger_kind = trigger.kind
        self.trigger_name = trigger.name
        self.platform = platform
        self.user_data = types.SimpleNamespace()
        self.Response = Response

    def get_user_data(self, key, default=None):
        return getattr(self.user_data, key, default)


class Event(object):
    def __init__(self, head, body, trigger):
        self.id = head["id"]
        self.method = head["method"]
        self.path = head["path"]
        self.url = head["url"]
        self.fields = head["fields"]
        self.headers = head["headers"]
        self.content_type = head["content_type"]
        self.timestamp = datetime.fromtimestamp(head["timestamp"], timezone.utc)
        self.size = len(body)
        self.trigger = trigger
        self.body = body
        self.shard_id = 0
        self.num_shards = 0
        self.type = ""
        self.type_version = ""
        self.version = ""
        self.last_in_batch = False
        self.offset = 0
        self.topic = ""

    def get_header(self, name):
        for key, value in self.headers.items():
            if key.lower() == name.lower():
                return value
        return None


def parsed_body(event, logger):
    """Returns parsed JSON if the media type is JSON (with any parameters), else the bytes."""
    media_type = event.content_type.split(";", 1)[0].strip().lower()
    if media_type != "application/json" or not event.body:
        return event.body
    try:
        return json.loads(event.body.decode("utf-8"))
    except (ValueError, UnicodeDecodeError) as error:
        logger.warn("The body is declared as JSON but is not valid: %s", error)
        return event.body


def answer_of(result):
    """Returns status, content type, headers and bytes of a handler's result."""
    if isinstance(result, tuple) and len(result) == 2 and isinstance(result[0], int):
        status, value = result
        content_type, body = plain_or_json(value)
        return status, content_type, {}, body
    if isinstance(result, Response) or all(hasattr(result, name) for name in ("status_code", "body", "content_type")):
        body = result.body
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
        return int(result.status_code), str(result.content_type), dict(result.headers or {}), as_bytes(body)
    content_type, body = plain_or_json(result)
    return 200, content_type, {}, body


def encoded(text):
    """Escapes lone surrogates, which file names may contain and UTF-8 cannot encode."""
    return text.encode("utf-8", "backslashreplace")


def plain_or_json(value):
    if isinstance(value, str):
        return "text/plain", encoded(value)
    if isinstance(value, (bytes, bytearray)):
        return "text/plain", bytes(value)
    if isinstance(value, (dict, list)):
        return "application/json", json.dumps(value).encode("utf-8")
    if isinstance(value, (bool, int, float)):
        return "application/json", json.dumps(value).encode("utf-8")
    return "text/plain", encoded(str(value))


def as_bytes(body):
    if body is None:
        return b""
    if isinstance(body, (bytes, bytearray)):
        return bytes(body)
    return encoded(str(body))


class Worker(object):
    def __init__(self):
        self.channel = Channel(int(os.environ["LIMNER_CHANNEL"]))
        self.logger = Logger(self.channel)
        self.loop = None
        trigger = TriggerInfo("http", os.environ.get("LIMNER_TRIGGER_NAME", "default-http"))
        platform = Platform(os.environ.get("LIMNER_NAMESPACE", "nuclio"))
        self.trigger = trigger
        self.context = Context(self.logger, int(os.environ.get("LIMNER_WORKER_ID", "0")), trigger, platform)
        self.handler = None

    def load(self):
        folder = os.environ.get("LIMNER_HANDLER_DIR", "/opt/nuclio")
        # Replaces this script's folder, so that the function's modules have priority.
        sys.path[0] = folder
        offer_sdk()
        module_name, _, function_name = os.environ.get("LIMNER_HANDLER", "main:handler").partition(":")
        if module_name.endswith(".py"):
            module_name = module_name[: -len(".py")]
        module = importlib.import_module(module_name.strip("/").replace("/", "."))
        self.handler = getattr(module, function_name or "handler")
        initialise = getattr(module, "init_context", None)
        if initialise is not None:
            self.finish(initialise(self.context))

    def finish(self, result):
        """Awaits a coroutine; returns other values unchanged."""
        if not inspect.isawaitable(result):
            return result
        if self.loop is None:
            self.loop = asyncio.new_event_loop()
            asyncio.set_event_loop(self.loop)
        return self.loop.run_until_complete(result)

    def serve(self):
        try:
            self.load()
        except BaseException:
            self.logger.error("The function could not be loaded:\n%s", traceback.format_exc())
            sys.exit(1)
        self.channel.send({"type": "ready"})
        while True:
            head, body = self.channel.receive()
            status, content_type, headers, content = self.answer(head, body)
            sys.stdout.flush()
            sys.stderr.flush()
            self.channel.send(
                {"type": "answer", "status": status, "content_type": content_type, "headers": headers}, content
            )

    def answer(self, head, body):
        self.logger.invocation = head["id"]
        try:
            event = Event(head, body, self.trigger)
            event.body = parsed_body(event, self.logger)
            return answer_of(self.finish(self.handler(self.context, event)))
        except BaseException as error:
            self.logger.error("Exception caught in handler:\n%s", traceback.format_exc())
            message = 'Exception caught in handler - "{}". See the log of the function.'.format(error)
            return 500, "text/plain", {}, encoded(message)


def offer_sdk():
    """Provides Nuclio's SDK types for functions that import them."""
    try:
        importlib.import_module("nuclio_sdk")
    except ImportError:
        module = types.ModuleType("nuclio_sdk")
        module.Context, module.Event, module.Response = Context, Event, Response
        module.Platform, module.TriggerInfo, module.Logger = Platform, TriggerInfo, Logger
        sys.modules["nuclio_sdk"] = module


if __name__ == "__main__":
    Worker().serve()
