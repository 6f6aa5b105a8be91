"""Converts COCO with Label Studio's own converter to tasks with annotations."""

import json
import sys
import time

from label_studio_sdk.converter.imports import coco

folder, annotations, output = sys.argv[1:]
began = time.perf_counter()
coco.convert_coco_to_ls(
    input_file=annotations,
    out_file=output,
    to_name="image",
    from_name="label",
    out_type="annotations",
    image_root_url=f"/data/local-files/?d={folder[1:]}",
)
print(json.dumps({"convertMs": 1000 * (time.perf_counter() - began)}))
