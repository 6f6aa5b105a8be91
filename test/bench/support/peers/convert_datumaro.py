"""Loads a dataset into datumaro and, where a folder is given, writes it as COCO: times and highest memory of each."""

import json
import logging
import resource
import sys
import time
import warnings

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)
import datumaro  # noqa: E402

path, name = sys.argv[1], sys.argv[2]


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


started = time.perf_counter()
dataset = datumaro.Dataset.import_from(path, name)
count = sum(len(item.annotations) for item in dataset)
loaded = {"milliseconds": (time.perf_counter() - started) * 1000, "peakBytes": peak(), "count": count}
written = None
if len(sys.argv) > 3:
    started = time.perf_counter()
    dataset.export(sys.argv[3], "coco_instances", save_media=False)
    written = {"milliseconds": (time.perf_counter() - started) * 1000, "peakBytes": peak(), "count": count}
print(json.dumps({"loaded": loaded, "written": written}))
