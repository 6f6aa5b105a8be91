"""Loads a COCO file as its users do, and prints what pycocotools makes of it."""

import contextlib
import io
import json
import sys
from pathlib import Path

from PIL import Image
from pycocotools.coco import COCO

annotation_file, image_folder = sys.argv[1:3]

with contextlib.redirect_stdout(io.StringIO()):
    coco = COCO(annotation_file)


def describe(annotation):
    mask = coco.annToMask(annotation)
    rows, columns = mask.nonzero()
    return {
        "image": coco.imgs[annotation["image_id"]]["file_name"],
        "label": coco.cats[annotation["category_id"]]["name"],
        "area": annotation["area"],
        "bbox": annotation["bbox"],
        "iscrowd": annotation["iscrowd"],
        "pixels": int(mask.sum()),
        # left, top, right, bottom of the painted pixels
        "painted": [int(columns.min()), int(rows.min()), int(columns.max()), int(rows.max())] if mask.any() else None,
        "size": [mask.shape[1], mask.shape[0]],
    }


def size_of_file(image):
    with Image.open(Path(image_folder) / image["file_name"]) as opened:
        return list(opened.size)


print(
    json.dumps(
        {
            "images": [
                {"name": image["file_name"], "size": [image["width"], image["height"]], "file": size_of_file(image)}
                for image in coco.loadImgs(coco.getImgIds())
            ],
            "categories": [category["name"] for category in coco.loadCats(coco.getCatIds())],
            "annotations": [describe(annotation) for annotation in coco.loadAnns(coco.getAnnIds())],
        }
    )
)
