"""Unpacks an archive and reads each of its documents with V7's own parser: what it finds, in the order of the files."""

import json
import sys

from archives import unpacked
from darwin.utils import parse_darwin_json

folder = unpacked(sys.argv[1], sys.argv[2])


def shown(annotation):
    kind = annotation.annotation_class.annotation_type
    extras = {one.annotation_type: one.data for one in annotation.subs}
    return {"label": annotation.annotation_class.name, "kind": kind, "data": annotation.data, "extras": extras}


files = [parse_darwin_json(path) for path in sorted(folder.rglob("*.json"))]
print(
    json.dumps(
        [
            {
                "picture": file.full_path,
                "size": [file.image_width, file.image_height],
                "annotations": [shown(one) for one in file.annotations],
            }
            for file in files
        ]
    )
)
