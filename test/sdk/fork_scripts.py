"""Runs Python scripts in forks of one process that has imported their packages.

The imports of cvat-sdk take more CPU time than most scripts that use it. Arguments: modules to import. Each line of
standard input is a call, {"script", "args", "env"}; each line of standard output is its end, {"code", "out", "err"}.
"""

import importlib
import json
import os
import runpy
import sys
import tempfile

for name in sys.argv[1:]:
    importlib.import_module(name)

# Scripts import the modules beside them, not those beside this file.
sys.path.pop(0)


def run(script, args, env):
    """Runs like `python script args`, and ends the process."""
    os.environ.update(env)
    sys.argv = [script, *args]
    sys.path.insert(0, os.path.dirname(script))
    runpy.run_path(script, run_name="__main__")
    sys.exit()


def text_of(file):
    file.seek(0)
    return file.read().decode()


calls = os.fdopen(os.dup(0))
ends = os.fdopen(os.dup(1), "w")
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
for line in calls:
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if child == 0:
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            run(**json.loads(line))
        _, status = os.waitpid(child, 0)
        end = {"code": os.waitstatus_to_exitcode(status), "out": text_of(out), "err": text_of(err)}
    print(json.dumps(end), file=ends, flush=True)
