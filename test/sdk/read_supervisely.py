"""
Unpacks an archive and reads each of its annotations with Supervisely's own classes. Its package as a whole wants a
client, a server and readers of medical pictures: its parts about annotations are loaded alone, and empty classes
stand in the places of what these only import.
"""

import importlib.util
import json
import sys
import types
from pathlib import Path

from absent_modules import Empty, Finder
from archives import unpacked

unused_parts = {"api", "app", "nn", "cli", "convert", "volume", "video", "pointcloud", "task"}
used_parts = ("project", "annotation", "io", "geometry", "imaging")


def is_part_unused(names):
    return names[0] == "supervisely" and len(names) > 1 and names[1] in unused_parts


def is_missing(names):
    return names[0] != "supervisely" and not names[0].startswith("_") and names[0] not in sys.stdlib_module_names


(place,) = importlib.util.find_spec("supervisely").submodule_search_locations
sys.meta_path.insert(0, Finder(is_part_unused))
sys.meta_path.append(Finder(is_missing))
package = types.ModuleType("supervisely")
package.__path__ = [place]
package.__getattr__ = lambda _name: Empty
sys.modules["supervisely"] = package
for part in used_parts:
    module = types.ModuleType(f"supervisely.{part}")
    module.__path__ = [str(Path(place) / part)]
    sys.modules[module.__name__] = module
    setattr(package, part, module)
import supervisely.io.env  # noqa: E402, F401
import supervisely.io.fs  # noqa: E402, F401
from supervisely.annotation.annotation import Annotation  # noqa: E402
from supervisely.project.project_meta import ProjectMeta  # noqa: E402

folder = unpacked(sys.argv[1], sys.argv[2])
meta = ProjectMeta.from_json(json.loads((folder / "meta.json").read_text()))


def shown(label):
    box = label.geometry.to_bbox()
    tags = [[tag.name, tag.value] for tag in label.tags]
    corners = [int(box.left), int(box.top), int(box.right), int(box.bottom)]
    return [label.obj_class.name, label.geometry.geometry_name(), corners, int(label.geometry.area), tags]


def read(path):
    found = Annotation.from_json(json.loads(path.read_text()), meta)
    tags = [tag.name for tag in found.img_tags]
    return {"size": list(found.img_size), "objects": [shown(label) for label in found.labels], "tags": tags}


print(json.dumps({path.name: read(path) for path in sorted(folder.glob("*/ann/*.json"))}))
