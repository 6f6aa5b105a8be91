"""
Unpacks archives and loads each as Ultralytics does for training: its own check of the description, its own dataset,
each row through its own check. It imports torch, torchvision and polars, which would be gigabytes of an environment
and which none of this uses: empty classes stand in their places.
"""

import ast
import importlib.metadata
import os
import sys
import tempfile
import types
from pathlib import Path

from absent_modules import EmptyModule, Finder
from archives import read_each

absent = {"torch", "torchvision", "polars", "ultralytics_thop"}
sys.meta_path.insert(0, Finder(lambda names: names[0] in absent))
version = importlib.metadata.version
importlib.metadata.version = lambda name: EmptyModule.__version__ if name in absent else version(name)
settings = tempfile.TemporaryDirectory()
os.environ |= {"YOLO_OFFLINE": "true", "YOLO_CONFIG_DIR": settings.name, "YOLO_VERBOSE": "false"}
import torchvision  # noqa: E402
import yaml  # noqa: E402
from ultralytics.cfg import get_cfg  # noqa: E402
from ultralytics.data.dataset import ClassificationDataset, YOLODataset  # noqa: E402
from ultralytics.data.utils import check_cls_dataset, check_det_dataset  # noqa: E402
from ultralytics.utils import ROOT  # noqa: E402


class ImageFolder:
    """What its class of that name is to Ultralytics: a class for each folder, by name, and the files below it."""

    def __init__(self, root, is_valid_file, allow_empty):
        self.root = root
        self.classes = sorted(folder.name for folder in Path(root).iterdir() if folder.is_dir())
        self.samples = [
            (str(path), number)
            for number, name in enumerate(self.classes)
            for path in sorted(Path(root, name).rglob("*"))
            if path.is_file() and is_valid_file(str(path))
        ]
        if not allow_empty and not self.samples:
            raise FileNotFoundError(root)


torchvision.datasets = types.SimpleNamespace(ImageFolder=ImageFolder)


def pixels(pairs, shape):
    height, width = shape
    return [[round(float(x) * width, 1), round(float(y) * height, 1)] for x, y in pairs]


def shown(row, names):
    """One picture: its objects, in pixels."""
    shape = row["shape"]
    objects = []
    for index, number in enumerate(row["cls"].flatten()):
        (center, size) = pixels(row["bboxes"][index].reshape(2, 2), shape)
        described = {"label": names[int(number)], "center": center, "size": size}
        if row["segments"]:
            described["outline"] = pixels(row["segments"][index], shape)
        if row["keypoints"] is not None:
            points = row["keypoints"][index]
            described["points"] = pixels(points[:, :2], shape)
            described["seen"] = [int(value) for value in points[:, 2]]
        objects.append(described)
    return {"picture": Path(row["im_file"]).name, "size": [shape[1], shape[0]], "objects": objects}


def classified(folder):
    """Images in folders by class, as they are loaded to train and to validate with."""
    data = check_cls_dataset(folder)
    found = {"names": list(data["names"].values())}
    for part in ("train", "val"):
        loaded = ClassificationDataset(data[part], get_cfg(), prefix=part, names=data["names"])
        found[part] = sorted([Path(path).name, data["names"][number]] for path, number, *_rest in loaded.samples)
    return found


def detected(folder, task):
    (description,) = folder.glob("*.yaml")
    data = check_det_dataset(str(description), autodownload=False)
    found = {"names": [data["names"][number] for number in sorted(data["names"])]}
    for part in ("train", "val"):
        rows = YOLODataset(img_path=data[part], data=data, task=task, augment=False, hyp=get_cfg(), imgsz=320)
        found[part] = [shown(row, data["names"]) for row in rows.labels]
    return found


def converted(folder):
    """VisDrone's layout, by the converter and the classes of Ultralytics' description of that dataset."""
    description = yaml.safe_load((ROOT / "cfg" / "datasets" / "VisDrone.yaml").read_text())
    script = ast.parse(description.pop("download"))
    # What fetches the data set itself stays out.
    script.body = [one for one in script.body if isinstance(one, (ast.Import, ast.ImportFrom, ast.FunctionDef))]
    names = {}
    exec(compile(script, "VisDrone.yaml", "exec"), names)
    for part in ("train", "val"):
        names["visdrone2yolo"](folder, part, part)
    del description["test"]
    (folder / "VisDrone.yaml").write_text(yaml.safe_dump({**description, "path": str(folder)}))
    return detected(folder, "detect")


readers = {"classify": classified, "visdrone": converted}
read_each(lambda folder, task: readers[task](folder) if task in readers else detected(folder, task))
