"""Calls without the types of cvat-sdk, in its name: a test sends single fields of its models."""

import base64
import json
import re
import urllib.error
import urllib.request
from pathlib import Path

from cvat_sdk.version import VERSION
from world import password, release, url, user

documentation = Path(__file__).parents[2] / "docs/compatibility/cvat.md"
counter = iter(range(10_000))


def unique(name):
    return f"{name}-{release.replace('.', '-')}-{next(counter)}"


def call(method, path, body=None):
    request = urllib.request.Request(url + path, method=method)
    request.add_header("User-Agent", f"cvat_sdk/{VERSION}")
    request.add_header("Authorization", "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode())
    data = None
    if body is not None:
        request.add_header("Content-Type", "application/json")
        data = json.dumps(body).encode()
    try:
        with urllib.request.urlopen(request, data) as response:
            text = response.read()
            return response.status, json.loads(text) if text else None
    except urllib.error.HTTPError as error:
        text = error.read()
        return error.code, json.loads(text) if text else None


def upload(path, headers, body=b"", method="POST", as_json=True):
    request = urllib.request.Request(url + path, method=method, data=body or None, headers=headers)
    request.add_header("User-Agent", f"cvat_sdk/{VERSION}")
    request.add_header("Authorization", "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode())
    try:
        with urllib.request.urlopen(request) as response:
            return response.status, json.loads(response.read() or b"null") if as_json else response.read()
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read() or b"null")


def form_of(files):
    boundary = "fields-of-the-models"
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="client_files[{index}]"; filename="{file.name}"\r\n'
        f"Content-Type: image/jpeg\r\n\r\n".encode()
        + file.read_bytes()
        + b"\r\n"
        for index, file in enumerate(files)
    ]
    return f"multipart/form-data; boundary={boundary}", b"".join(parts) + f"--{boundary}--\r\n".encode()


def stated_fields():
    """Fields of the page of the documentation that are not stored: what becomes of each."""
    rows = re.findall(r"^\| `(\w+)\.(\w+)` \| (acted on|passed over|refused) \|", documentation.read_text("utf8"), re.M)
    return {(model, field): state for model, field, state in rows}
