"""
Loads archives with datumaro: what it finds in them, as "type label" with counts, by item; of masks the pixels.
"""

from collections import Counter

from archives import read_each
import datumaro
from datumaro import AnnotationType


def read(folder, name):
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


read_each(read)
