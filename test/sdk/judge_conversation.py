"""Judges recorded HTTP requests and answers by the endpoints and models of the unmodified cvat-sdk.

Arguments: a file of exchanges in JSON, and optionally a recorded conversation, whose requests are allowed as well.
"""

import inspect
import json
import re
import sys
from pathlib import Path
from types import SimpleNamespace

from cvat_sdk.api_client import ApiClient, apis
from cvat_sdk.api_client.model_utils import file_type, validate_and_convert_types
from typed_reads import differences

exchanges = json.loads(Path(sys.argv[1]).read_text("utf8"))
recorded = [json.loads(line) for line in Path(sys.argv[2]).read_text("utf8").splitlines()] if len(sys.argv) > 2 else []
client = ApiClient()
# Keys that a task lacks until its data are there.
of_data = {
    "data_chunk_size",
    "data_compressed_chunk_type",
    "data_original_chunk_type",
    "size",
    "image_quality",
    "data_cloud_storage_id",
}


def all_endpoints():
    for _, api in inspect.getmembers(apis, inspect.isclass):
        if api.__name__.endswith("Api"):
            for name, endpoint in vars(api(client)).items():
                if name.endswith("_endpoint"):
                    yield endpoint


def pattern_of(template):
    return re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(template)))


endpoints = sorted(
    ((endpoint.settings["http_method"], endpoint.settings["endpoint_path"], endpoint) for endpoint in all_endpoints()),
    key=lambda one: one[1].count("{"),
)
patterns = [(method, pattern_of(path), path, endpoint) for method, path, endpoint in endpoints]


def endpoint_of(exchange):
    for method, pattern, path, endpoint in patterns:
        if method == exchange["method"] and pattern.fullmatch(exchange["path"]):
            return path, endpoint
    # Uploads by TUS are not in the schema.
    return re.sub(r"/(\d+|(\d+_)?[0-9a-f-]{36})(?=/|$)", "/{id}", exchange["path"]), None


def parameters(endpoint, location):
    """Types of the parameters of an endpoint by their names in HTTP requests."""
    return {
        endpoint.attribute_map.get(name, name): endpoint.openapi_types[name]
        for name, place in endpoint.location_map.items()
        if place == location
    }


def keys(value, prefix=""):
    if isinstance(value, list):
        return {one for item in value for one in keys(item, f"{prefix}[]")}
    if not isinstance(value, dict):
        return {prefix} if prefix else set()
    inner = {one for name, item in value.items() for one in keys(item, f"{prefix}.{name}" if prefix else name)}
    return inner or ({prefix} if prefix else set())


def headers_of(headers):
    """Headers that steer the answer: values of media types, the kind of the credentials, otherwise names."""
    found = {name for name in headers if re.match(r"upload-|x-organization|tus-", name)}
    found |= {f"{name}: {headers[name].split(';')[0]}" for name in ("accept", "content-type") if name in headers}
    if "authorization" in headers:
        found.add(f"authorization: {headers['authorization'].split(' ')[0]}")
    return found


def entry_of(exchange):
    path, _ = endpoint_of(exchange)
    return {
        "method": exchange["method"],
        "path": path,
        "query": sorted(exchange["query"]),
        "headers": sorted(headers_of(exchange["headers"])),
        "body": sorted(keys(exchange["json"])) if exchange["fields"] is None else sorted(exchange["fields"]),
    }


def is_recorded(entry):
    return any(
        one["method"] == entry["method"]
        and one["path"] == entry["path"]
        and set(entry["query"]) <= set(one["query"])
        and set(entry["body"]) <= set(one["body"])
        for one in recorded
    )


def converted(raw, types):
    return validate_and_convert_types(raw, types, ["value"], True, True, configuration=client.configuration)


def is_convertible(text, types):
    for one in types:
        try:
            if one in (int, float):
                one(text)
                return True
            if one is str or (one is bool and text in ("true", "false")):
                return True
            converted(text, (one,))
            return True
        except Exception:
            continue
    return False


def request_problems(exchange, endpoint, entry):
    if is_recorded(entry):
        return []
    if endpoint is None:
        return ["neither the schema nor the recorded conversation has this request"]
    query = parameters(endpoint, "query")
    found = [f"query {name} is unknown" for name in exchange["query"] if name not in query]
    found += [
        f"query {name}={text} is not of {query[name]}"
        for name, text in exchange["query"].items()
        if name in query and not is_convertible(text, query[name])
    ]
    if exchange["json"] is None and exchange["fields"] is None:
        return found
    bodies = list(parameters(endpoint, "body").values())
    if not bodies:
        return [*found, "the schema has no body"]
    if exchange["fields"] is not None:
        known = {name for model in bodies[0] for name in model.attribute_map.values()}
        return found + [f"field {name} is unknown" for name in exchange["fields"] if name.removesuffix("[]") not in known]
    try:
        model = converted(exchange["json"], bodies[0])
    except Exception as error:
        return [*found, f"body: {error}"]
    return found + sorted(f"body: {one}" for one in differences(model, exchange["json"]) if " +" in one)


def answer_problems(exchange, endpoint):
    schema = endpoint and endpoint.settings["response_schema"]
    if exchange["answer"] is None or not schema or schema == (file_type,) or not 200 <= exchange["status"] <= 299:
        return []
    try:
        response = SimpleNamespace(data=exchange["answer"].encode(), headers={"content-type": "application/json"})
        model = client.deserialize(response, schema, _check_type=True)
    except Exception as error:
        return [f"answer: {error}"]
    found = differences(model, json.loads(exchange["answer"]))
    # Keyframes that the track of a task gets at the borders of its jobs have no ids.
    allowed = {"TrackedShape -id", *(f"TaskRead -{key}" for key in of_data)}
    return sorted(f"answer: {one}" for one in found - allowed)


def described(types, prefix, above=()):
    """Paths of the keys of models, with the values of their enumerations."""
    for one in types if isinstance(types, (list, tuple)) else [types]:
        if isinstance(one, (list, tuple)):
            yield from described(one, f"{prefix}[]", above)
        elif inspect.isclass(one) and hasattr(one, "attribute_map") and one not in above:
            for values in one.allowed_values.values():
                yield f"{prefix}: {', '.join(sorted(map(str, values.values())))}"
            for name, inner in one.openapi_types.items():
                if name == "value":
                    continue
                path = f"{prefix}.{one.attribute_map[name]}"
                yield path
                yield from described(inner, path, (*above, one))


def surface_of(method, path):
    for one_method, one_path, endpoint in endpoints:
        if (one_method, one_path) != (method, path):
            continue
        name = f"{method} {path}"
        yield from (f"{name} query {query}" for query in parameters(endpoint, "query"))
        for types in parameters(endpoint, "body").values():
            yield from described(types, f"{name} body")
        yield from described(endpoint.settings["response_schema"] or (), f"{name} answer")


entries, problems = {}, set()
for exchange in exchanges:
    _, endpoint = endpoint_of(exchange)
    entry = entry_of(exchange)
    entries[json.dumps(entry)] = entry
    name = f"{entry['method']} {entry['path']}"
    problems |= {f"{name}: {one}" for one in request_problems(exchange, endpoint, entry)} if len(sys.argv) > 2 else set()
    problems |= {f"{name}: {one}" for one in answer_problems(exchange, endpoint)}
conversation = sorted(entries.values(), key=lambda one: (one["path"], one["method"], json.dumps(one)))
surface = {
    line
    for method, path in {(one["method"], one["path"]) for one in conversation}
    for line in surface_of(method, path)
}
print(json.dumps({"conversation": conversation, "problems": sorted(problems), "surface": sorted(surface)}))
