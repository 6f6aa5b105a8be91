"""
Draws outlines of a file with the program that knows its format, and the outlines that Limner read of it in the same
way, and prints both areas. Arguments: `voc` or `darwin`, the folder of the file, and the outlines as JSON.
"""

import json
import sys
from pathlib import Path

import numpy as np
from PIL import Image

kind, folder, outlines = sys.argv[1], Path(sys.argv[2]), json.loads(sys.argv[3])
width, height = 100, 80

if kind == "voc":
    import supervision as sv

    Image.new("RGB", (width, height)).save(folder / "a.jpg")
    dataset = sv.DetectionDataset.from_pascal_voc(
        images_directory_path=str(folder), annotations_directory_path=str(folder), force_masks=True
    )
    _, _, detections = next(iter(dataset))
    stated = np.any(detections.mask, axis=0)
    read = np.any(
        [sv.polygon_to_mask(np.array(one).reshape(-1, 2).astype(int), (width, height)) for one in outlines], axis=0
    )
else:
    from darwin.utils import parse_darwin_json
    from upolygon import draw_polygon

    def drawn(paths):
        mask = np.zeros((height, width), dtype=np.int32)
        draw_polygon(mask, paths, 1)
        return mask > 0

    [annotation] = parse_darwin_json(folder / "a.json").annotations
    stated = drawn([[number for at in path for number in (at["x"], at["y"])] for path in annotation.data["paths"]])
    read = np.any([drawn([one]) for one in outlines], axis=0)

print(json.dumps({"stated": int(stated.sum()), "read": int(read.sum()), "different": int((stated != read).sum())}))
