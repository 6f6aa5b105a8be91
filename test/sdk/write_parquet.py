"""Writes snapshots of datasets as Hugging Face's `datasets` and pyarrow write them, each in its folder, and prints what is in them."""

import io
import json
import sys
from pathlib import Path

import PIL.Image
import pyarrow
import pyarrow.parquet
from datasets import ClassLabel, Dataset, Features, Image, List, Sequence, Value

root = Path(sys.argv[1])
width, height = 64, 48
classes = ["car", "person", "never used"]


def picture(number, kind="PNG"):
    content = io.BytesIO()
    PIL.Image.new("RGB", (width, height), (number * 40 % 255, 80, 90)).save(content, kind)
    return content.getvalue()


def boxes(number):
    return [[1.5 + number, 2.25, 10.1, 12.0], [20.0, 10.0, 20.0, 20.0]] if number % 3 else []


def detection(start, count):
    numbers = range(start, start + count)
    return {
        "image_id": list(numbers),
        "image": [
            {"bytes": picture(n, "JPEG" if n % 2 else "PNG"), "path": f"street_{n}.{'jpg' if n % 2 else 'png'}"}
            for n in numbers
        ],
        "width": [width] * count,
        "height": [height] * count,
        "objects": [{"bbox": boxes(n), "category": [n % 2, 1][: len(boxes(n))]} for n in numbers],
        "weather": ["rain"] * count,
    }


def write(folder, name, rows, features, **options):
    path = root / folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    Dataset.from_dict(rows, features=features).to_parquet(str(path), **options)


features = Features(
    {
        "image_id": Value("int64"),
        "image": Image(),
        "width": Value("int32"),
        "height": Value("int32"),
        "objects": {"bbox": List(List(Value("float32"), length=4)), "category": List(ClassLabel(names=classes))},
        "weather": Value("string"),
    }
)
# Row groups of two rows: images and objects are in several.
write("detection", "data/train-00000-of-00002.parquet", detection(0, 5), features, batch_size=2)
write("detection", "data/train-00001-of-00002.parquet", detection(5, 2), features)
write("detection", "data/test-00000-of-00001.parquet", detection(7, 2), features)

# Objects as a list of records, and images without names.
listed = Features(
    {"image": Image(), "objects": [{"bbox": Sequence(Value("float64"), length=4), "category": ClassLabel(names=classes)}]}
)
rows = {
    "image": [{"bytes": picture(n, "JPEG" if n % 2 else "PNG"), "path": None} for n in range(3)],
    "objects": [[{"bbox": box, "category": 0} for box in boxes(n)] for n in range(3)],
}
write("records", "default/train/0000.parquet", rows, listed)

# One label for each image; -1 is no label.
labelled = Features({"image": Image(), "label": ClassLabel(names=["cat", "dog"])})
rows = {"image": [{"bytes": picture(n), "path": "image.png"} for n in range(3)], "label": [0, 1, None]}
write("classification", "data/validation-00000-of-00001.parquet", rows, labelled)

# Without a description in the file, in every compression, with both versions of pages and without dictionaries.
table = pyarrow.table(
    {
        "image": pyarrow.array(
            [{"bytes": picture(n), "path": f"a/b/{n}.png"} for n in range(4)],
            pyarrow.struct([("bytes", pyarrow.binary()), ("path", pyarrow.string())]),
        ),
        "label": [0, 1, 0, 1],
    }
)
card = """---
dataset_info:
  features:
  - name: image
    dtype: image
  - name: label
    dtype:
      class_label:
        names:
          '0': cat
          '1': dog
configs:
- config_name: default
  data_files:
  - split: day
    path: data/snappy*
  - split: night
    path:
    - data/gzip.parquet
    - "**/zstd.parquet"
---
# Cats
"""
for compression in ("snappy", "gzip", "zstd", "brotli", "none"):
    for version in ("1.0", "2.0"):
        path = root / "pyarrow" / "data" / f"{compression}{'' if version == '1.0' else '2'}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        pyarrow.parquet.write_table(
            table, path, compression=compression, data_page_version=version, use_dictionary=version == "1.0"
        )
(root / "pyarrow" / "README.md").write_text(card)

(root / "refused").mkdir()
pyarrow.parquet.write_table(table, root / "refused" / "lz4.parquet", compression="lz4")
pyarrow.parquet.write_table(
    table, root / "refused" / "delta.parquet", use_dictionary=False, column_encoding={"image.bytes": "DELTA_BYTE_ARRAY"}
)
pyarrow.parquet.write_table(pyarrow.table({"text": ["a"]}), root / "refused" / "text.parquet")

print(json.dumps({str(path.relative_to(root)): path.stat().st_size for path in sorted(root.rglob("*.parquet"))}))
