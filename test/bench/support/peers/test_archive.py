"""Reads every entry of an archive and checks its checksum: how many there are, and the first that is damaged."""

import json
import sys
import zipfile

with zipfile.ZipFile(sys.argv[1]) as archive:
    print(json.dumps({"entries": len(archive.namelist()), "damaged": archive.testzip()}))
