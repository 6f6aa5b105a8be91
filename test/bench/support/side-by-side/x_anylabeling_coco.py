"""Measures X-AnyLabeling's converter: COCO to its own files beside the images, and back."""

import json
import os
import shutil
import sys
import tempfile
import time

from anylabeling.views.labeling.label_converter import LabelConverter

folder, annotations = sys.argv[1:]
own = tempfile.mkdtemp()
began = time.perf_counter()
LabelConverter().coco_to_custom(input_file=annotations, output_dir_path=own, mode="polygon")
imported = time.perf_counter()
classes = os.path.join(own, "classes.txt")
with open(classes, "w", encoding="utf-8") as file:
    file.write("thing\n")
converter = LabelConverter(classes_file=classes)
names = sorted(name[:-5] + ".jpg" for name in os.listdir(own) if name.endswith(".json"))
images = [os.path.join(folder, name) for name in names]
output = tempfile.mkdtemp()
started = time.perf_counter()
converter.custom_to_coco(images, own, output, "polygon")
ended = time.perf_counter()
shutil.rmtree(own)
with open(os.path.join(output, os.listdir(output)[0]), encoding="utf-8") as file:
    written = len(json.load(file)["annotations"])
shutil.rmtree(output)
if written == 0:
    raise SystemExit("The export has no annotations.")
print(json.dumps({"importMs": 1000 * (imported - began), "exportMs": 1000 * (ended - started)}))
