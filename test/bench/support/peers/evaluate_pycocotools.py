"""Measures COCO results with pycocotools, as its users do, and prints the time and the highest memory."""

import contextlib
import io
import json
import resource
import sys
import time

from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

started = time.perf_counter()
with contextlib.redirect_stdout(io.StringIO()):
    truth = COCO(sys.argv[1])
    evaluation = COCOeval(truth, truth.loadRes(sys.argv[2]), sys.argv[3])
    evaluation.evaluate()
    evaluation.accumulate()
    evaluation.summarize()
seconds = time.perf_counter() - started
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(json.dumps({"milliseconds": seconds * 1000, "peakBytes": peak, "stats": list(evaluation.stats)}))
