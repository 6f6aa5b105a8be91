"""Runs model files on tensors. Limner itself converts images to tensors, and tensors to results.

Needs numpy and onnxruntime in the base image, and uses a GPU if that build of onnxruntime supports it. Bodies and
answers consist of the header length (4 bytes, little-endian), the JSON header, and the numbers of all tensors.
"""

import json
import math
import os
import struct

import numpy
import onnxruntime

FOLDER = os.path.dirname(os.path.abspath(__file__))
FILES = ("model.onnx", "decoder.onnx")
CUDA = "CUDAExecutionProvider"
PROCESSOR = "CPUExecutionProvider"
# Device files that prove a GPU: NVIDIA driver, WSL, Jetson boards.
CARDS = ("/dev/nvidiactl", "/dev/dxg", "/dev/nvmap")
TYPES = ("float32", "float64", "uint8", "int8", "uint16", "int16", "int32", "int64")


def processors():
    """CPU limit of the container, which may be lower than the number of CPUs."""
    count = len(os.sched_getaffinity(0))
    try:
        with open("/sys/fs/cgroup/cpu.max") as file:
            quota, period = file.read().split()
        return max(1, min(count, math.ceil(int(quota) / int(period))))
    except (OSError, ValueError):
        return count


def has_card():
    return any(os.path.exists(path) for path in CARDS)


def wanted():
    """Execution providers, best first. CUDA's libraries are loaded only if the function has a GPU."""
    if not has_card() or CUDA not in onnxruntime.get_available_providers():
        return [PROCESSOR]
    # The packages contain these libraries in folders that the loader does not search.
    if hasattr(onnxruntime, "preload_dlls"):
        onnxruntime.preload_dlls()
    return [CUDA, PROCESSOR]


def say_what_runs(logger, name, provider):
    """Logs the provider, so that an unused GPU is noticed without measuring calls."""
    if provider == CUDA or not has_card():
        return logger.info("{} runs on {}".format(name, provider))
    if CUDA in onnxruntime.get_available_providers():
        reason = "onnxruntime cannot load CUDA's libraries: the environment needs those of its version (cuBLAS, cuDNN)"
    else:
        reason = "this onnxruntime supports only CPUs: the environment needs onnxruntime-gpu"
    logger.warn("{} runs on {} although there is a GPU: {}".format(name, provider, reason))


def open_session(path, providers):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = processors()
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(path, options, providers=providers)


def init_context(context):
    context.user_data.sessions = {}
    providers = wanted()
    for name in FILES:
        path = os.path.join(FOLDER, name)
        if os.path.exists(path):
            session = open_session(path, providers)
            context.user_data.sessions[name] = session
            say_what_runs(context.logger, name, session.get_providers()[0])


def handler(context, event):
    file, feeds = read_frame(event.body)
    session = context.user_data.sessions[file]
    names = [output.name for output in session.get_outputs()]
    found = session.run(names, feeds)
    return context.Response(
        body=write_frame(zip(names, found)), headers={}, content_type="application/octet-stream", status_code=200
    )


def read_frame(body):
    (size,) = struct.unpack_from("<I", body)
    header = json.loads(body[4 : 4 + size].decode("utf-8"))
    offset = 4 + size
    feeds = {}
    for tensor in header["tensors"]:
        is_half = tensor["type"] == "float16"
        # Half-precision values are transferred as float32.
        kind = numpy.dtype("float32" if is_half else tensor["type"])
        values = numpy.frombuffer(body, kind, tensor["bytes"] // kind.itemsize, offset).reshape(tensor["dims"])
        feeds[tensor["name"]] = values.astype("float16") if is_half else values
        offset += tensor["bytes"]
    return header["file"], feeds


def write_frame(outputs):
    tensors = []
    pieces = []
    for name, value in outputs:
        kind = {"float16": "float32", "bool": "uint8"}.get(str(value.dtype), str(value.dtype))
        if kind not in TYPES:
            raise TypeError("an output has the type {}, which is not supported".format(kind))
        data = numpy.ascontiguousarray(value, kind).tobytes()
        tensors.append({"name": name, "type": kind, "dims": list(value.shape), "bytes": len(data)})
        pieces.append(data)
    header = json.dumps({"tensors": tensors}).encode("utf-8")
    return b"".join([struct.pack("<I", len(header)), header] + pieces)
