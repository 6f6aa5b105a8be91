"""Writes the files of a list into an archive with Python's zipfile: the time and the highest memory."""

import json
import resource
import sys
import time
import zipfile

files = json.load(open(sys.argv[1]))
started = time.perf_counter()
with zipfile.ZipFile(sys.argv[2], "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
    for name, content in files:
        archive.writestr(name, content)
milliseconds = (time.perf_counter() - started) * 1000
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
with zipfile.ZipFile(sys.argv[2]) as archive:
    damaged = archive.testzip()
print(json.dumps({"milliseconds": milliseconds, "peakBytes": peak, "damaged": damaged}))
