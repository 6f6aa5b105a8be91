"""
Unpacks archives and loads each with supervision and, where it is labelme's, with labelme's own reader as well: classes,
pictures, boxes, and the pixels of masks. labelme's package opens a window system and a model runtime when it is
imported, which its reader does not use: names stand in their places.
"""

import importlib.machinery
import sys
import types

from archives import read_each
import supervision as sv


class Unused(types.ModuleType):
    __path__: list = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


for name in ("PyQt5", "PyQt5.QtCore", "PyQt5.QtGui", "PyQt5.QtWidgets", "onnxruntime", "imgviz", "imgviz.io"):
    sys.modules[name] = Unused(name)
    sys.modules[name].__spec__ = importlib.machinery.ModuleSpec(name, None)
from labelme._label_file import LabelFile  # noqa: E402


def only(folder, pattern):
    (found,) = sorted(folder.glob(pattern))
    return str(found)


def load(reader, folder, images, annotations):
    at, text = str(folder / images), str(folder / annotations)
    if reader == "coco":
        return sv.DetectionDataset.from_coco(at, text)
    if reader == "voc":
        return sv.DetectionDataset.from_pascal_voc(at, text)
    if reader == "labelme":
        return sv.DetectionDataset.from_labelme(at, text)
    if reader == "createml":
        return sv.DetectionDataset.from_createml(at, only(folder, annotations))
    yaml = only(folder, "*.yaml")
    return sv.DetectionDataset.from_yolo(at, text, yaml, is_obb=reader == "yolo-obb")


def shown(dataset):
    boxes, pixels, sizes = [], {}, set()
    for _path, image, found in dataset:
        sizes.add(f"{image.shape[1]}x{image.shape[0]}")
        for index, number in enumerate(found.class_id):
            name = dataset.classes[int(number)]
            boxes.append([name, [round(float(value), 1) for value in found.xyxy[index]]])
            if found.mask is not None:
                pixels[name] = pixels.get(name, 0) + int(found.mask[index].sum())
    classes = list(dataset.classes)
    return {"classes": classes, "pictures": len(dataset), "boxes": boxes, "pixels": pixels, "sizes": sorted(sizes)}


def labelme_reads(folder):
    files = [LabelFile(str(path)) for path in sorted(folder.rglob("*.json"))]
    shapes = [[one["shape_type"], one["label"], one["points"]] for file in files for one in file.shapes]
    return {"files": len(files), "pictures": sum(file.image_data is not None for file in files), "shapes": shapes}


def read(folder, reader, images, annotations):
    found = shown(load(reader, folder, images, annotations))
    return found | {"labelme": labelme_reads(folder)} if reader == "labelme" else found


read_each(read)
