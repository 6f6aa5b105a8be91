"""
How scripts read what was exported. To be imported before the packages that read: what these say beside their answer would
hide it.
"""

import json
import logging
import sys
import warnings
import zipfile
from pathlib import Path

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)


def unpacked(archive, folder):
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(folder)
    return Path(folder)


def read_each(read):
    """
    Calls `read` with the folder of each archive, or with what is a folder, that the first argument lists, and prints what
    it answered or what went wrong, by names.
    """
    results = {}
    for archive, name, *more in json.loads(sys.argv[1]):
        folder = Path(archive)
        try:
            if not folder.is_dir():
                folder = unpacked(archive, folder.with_suffix(""))
            results[name] = read(folder, *more)
        except Exception as error:  # one format must not keep the others from being read
            entries = sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))[:20]
            results[name] = {"problem": f"{type(error).__name__}: {error} {error.__cause__ or ''} {entries}"}
    print(json.dumps(results))
