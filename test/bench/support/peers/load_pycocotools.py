"""Loads a COCO file with pycocotools, as its users do, and prints the time and the highest memory."""

import contextlib
import io
import json
import resource
import sys
import time

from pycocotools.coco import COCO

started = time.perf_counter()
with contextlib.redirect_stdout(io.StringIO()):
    coco = COCO(sys.argv[1])
seconds = time.perf_counter() - started
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(json.dumps({"milliseconds": seconds * 1000, "peakBytes": peak, "count": len(coco.anns)}))
