"""
Unpacks archives and loads each with datumaro: what it finds in them, as "type label" with counts, by item. What is a
folder is loaded where it lies; of masks it says the pixels.
"""

import json
import logging
import sys
import warnings
import zipfile
from collections import Counter
from pathlib import Path

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)
import datumaro  # noqa: E402
from datumaro import AnnotationType  # noqa: E402


def read(archive, name, folder):
    if Path(archive).is_dir():
        folder = Path(archive)
    else:
        with zipfile.ZipFile(archive) as opened:
            opened.extractall(folder)
    dataset = datumaro.Dataset.import_from(str(folder), name)
    labels = dataset.categories().get(AnnotationType.label)
    counts = Counter()
    boxes = []
    pixels = Counter()
    with_pictures = 0
    sizes = Counter()
    subsets = Counter()
    for item in dataset:
        if item.media is not None and getattr(item.media, "size", None):
            with_pictures += 1
            sizes["x".join(str(side) for side in reversed(item.media.size))] += 1
        subsets[item.subset] += 1
        for annotation in item.annotations:
            label = getattr(annotation, "label", None)
            named = labels[label].name if labels is not None and label is not None else ""
            counts[f"{annotation.type.name} {named}".strip()] += 1
            if annotation.type.name == "mask":
                pixels[named] += int(annotation.image.astype(bool).sum())
            if annotation.type.name in ("bbox", "polygon"):
                boxes.append([annotation.type.name, named, [round(value, 2) for value in annotation.get_bbox()]])
    names = [] if labels is None else [label.name for label in labels.items]
    return {
        "counts": counts,
        "boxes": sorted(boxes),
        "pixels": pixels,
        "items": len(dataset),
        "pictures": with_pictures,
        "labels": names,
        "sizes": sizes,
        "subsets": subsets,
    }


results = {}
for archive, name, key, folder in json.loads(sys.argv[1]):
    try:
        results[key] = read(archive, name, Path(folder))
    except Exception as error:  # one format must not keep the others from being read
        results[key] = {"problem": f"{type(error).__name__}: {error} {error.__cause__ or ''}"}
print(json.dumps(results))
