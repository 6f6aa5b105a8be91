"""
Unpacks an exported COCO archive, or takes a folder that has no pictures, loads it as its users do, and prints what pycocotools makes of it. A third argument
names the file of captions: then it prints those of each picture.
"""

import contextlib
import io
import json
import sys
import zipfile
from pathlib import Path

from PIL import Image
from pycocotools.coco import COCO

archive, folder = Path(sys.argv[1]), Path(sys.argv[2])
damaged = None
if not archive.is_dir():
    with zipfile.ZipFile(archive) as opened:
        damaged = opened.testzip()
        opened.extractall(folder)

captions = sys.argv[3] if len(sys.argv) > 3 else None
with contextlib.redirect_stdout(io.StringIO()):
    coco = COCO(folder / "annotations" / (captions or "instances_default.json"))

if captions:
    pictures = coco.loadImgs(coco.getImgIds())
    of = {one["file_name"]: [row["caption"] for row in coco.imgToAnns[one["id"]]] for one in pictures}
    with contextlib.redirect_stdout(io.StringIO()) as shown:
        coco.showAnns(coco.loadAnns(coco.getAnnIds()))
    print(json.dumps({"captions": of, "shown": shown.getvalue().splitlines()}))
    sys.exit()


def describe(annotation):
    described = {
        "image": coco.imgs[annotation["image_id"]]["file_name"],
        "label": coco.cats[annotation["category_id"]]["name"],
        "area": annotation["area"],
        "bbox": annotation["bbox"],
        "iscrowd": annotation["iscrowd"],
    }
    if not annotation["segmentation"]:
        # A box: the format has no outline for it, and pycocotools no mask.
        return described
    mask = coco.annToMask(annotation)
    rows, columns = mask.nonzero()
    return described | {
        "pixels": int(mask.sum()),
        # left, top, right, bottom of the painted pixels
        "painted": [int(columns.min()), int(rows.min()), int(columns.max()), int(rows.max())] if mask.any() else None,
        "size": [mask.shape[1], mask.shape[0]],
    }


def describe_image(image):
    if archive.is_dir():
        return {"name": image["file_name"], "size": [image["width"], image["height"]]}
    with Image.open(folder / "images" / "default" / image["file_name"]) as opened:
        opened.load()
        return {"name": image["file_name"], "size": [image["width"], image["height"]], "file": list(opened.size)}


print(
    json.dumps(
        {
            "damaged": damaged,
            "images": [describe_image(image) for image in coco.loadImgs(coco.getImgIds())],
            "categories": [category["name"] for category in coco.loadCats(coco.getCatIds())],
            "annotations": [describe(annotation) for annotation in coco.loadAnns(coco.getAnnIds())],
        }
    )
)
