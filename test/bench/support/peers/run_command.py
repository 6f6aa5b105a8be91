"""Runs a command and prints its time, its highest memory and what it printed."""

import json
import resource
import subprocess
import sys
import time

started = time.perf_counter()
done = subprocess.run(sys.argv[1:], check=True, capture_output=True, text=True)
seconds = time.perf_counter() - started
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
print(json.dumps({"milliseconds": seconds * 1000, "peakBytes": peak, "output": done.stdout}))
