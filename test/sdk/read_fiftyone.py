"""
FiftyOne itself, with the database that its own package brings: reads an archive with a dataset of image detections,
and writes two of its own, with labels by their names and by their numbers. It imports packages for its screens, clouds and plots, which none of this uses: empty classes stand in
their places.
"""

import importlib.util
import json
import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

from absent_modules import Finder
from archives import unpacked

absent = {
    "cachetools", "dacite", "exceptiongroup", "glob2", "jinja2", "jsonlines", "plotly", "py7zr", "pydash", "rarfile",
    "retrying", "skimage", "sklearn", "sortedcontainers", "sse_starlette", "sseclient", "starlette", "strawberry",
    "tabulate", "xmltodict",
}  # fmt: skip
sys.meta_path.insert(0, Finder(lambda names: names[0] in absent))
(place,) = importlib.util.find_spec("fiftyone").submodule_search_locations
archive, target = Path(sys.argv[1]), Path(sys.argv[2])
source = unpacked(archive, target / "read") / "train"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def read(fiftyone, folder):
    """By picture: each box in shares of its side, and what it carries."""
    kind = fiftyone.types.FiftyOneImageDetectionDataset
    dataset = fiftyone.Dataset.from_dir(dataset_dir=str(folder), dataset_type=kind, progress=False)
    pictures = {}
    for sample in dataset:
        found = sample["ground_truth"]
        pictures[Path(sample.filepath).name] = [
            {
                "label": one.label,
                "box": one.bounding_box,
                "confidence": one.confidence,
                "attributes": dict(one.iter_attributes()),
            }
            for one in (found.detections if found else [])
        ]
    return {"pictures": pictures, "classes": dataset.default_classes or dataset.info.get("classes", [])}


def write(fiftyone, images, folder, classes):
    """Two pictures of the read dataset with boxes of its own, the second one without."""
    dataset = fiftyone.Dataset()
    for path in sorted(images.rglob("*.jpg")):
        sample = fiftyone.Sample(filepath=str(path))
        objects = [] if path.name.endswith("1.jpg") else own_objects(fiftyone)
        sample["ground_truth"] = fiftyone.Detections(detections=objects)
        dataset.add_sample(sample)
    options = {"dataset_type": fiftyone.types.FiftyOneImageDetectionDataset, "label_field": "ground_truth"}
    dataset.export(export_dir=str(folder), classes=classes, progress=False, **options)


def own_objects(fiftyone):
    one = fiftyone.Detection
    return [
        one(label="van", bounding_box=[0.1, 0.2, 0.3, 0.4], confidence=0.75, colour="red", seats=4, parked=True),
        one(label="car", bounding_box=[0.5, 0.25, 0.125, 0.5]),
    ]


with tempfile.TemporaryDirectory() as scratch:
    port = free_port()
    program = Path(place, "db", "bin", "mongod")
    program.chmod(0o755)
    address = ["--dbpath", scratch, "--port", str(port), "--bind_ip", "127.0.0.1", "--nounixsocket"]
    database = subprocess.Popen([program, *address], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        os.environ |= {
            "FIFTYONE_DO_NOT_TRACK": "true",
            "FIFTYONE_DATABASE_URI": f"mongodb://127.0.0.1:{port}",
            "FIFTYONE_DATABASE_VALIDATION": "false",
            "FIFTYONE_CONFIG_PATH": str(Path(scratch, "none.json")),
            "HOME": scratch,
        }
        import fiftyone

        found = read(fiftyone, source)
        write(fiftyone, source / "data", target / "named", None)
        write(fiftyone, source / "data", target / "numbered", ["car", "van"])
    finally:
        database.terminate()
        database.wait()
print(json.dumps(found))
