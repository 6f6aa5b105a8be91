"""Resizes random images with OpenCV and Pillow: folder."""

import json
import sys
from pathlib import Path

import cv2
import numpy
from PIL import Image

folder = Path(sys.argv[1])
cases = []
for number, (width, height, to_width, to_height) in enumerate(
    [(640, 480, 320, 240), (375, 500, 240, 320), (1920, 1080, 640, 360), (301, 207, 128, 96), (480, 640, 224, 298)]
):
    image = numpy.random.default_rng(number).integers(0, 256, (height, width, 3), dtype=numpy.uint8)
    image.tofile(folder / f"{number}.image")
    size = (to_width, to_height)
    cv2.resize(image, size, interpolation=cv2.INTER_LINEAR).tofile(folder / f"{number}.opencv")
    pillow = Image.fromarray(image).resize(size, Image.Resampling.BILINEAR)
    numpy.asarray(pillow).tofile(folder / f"{number}.pillow")
    cases.append({"width": width, "height": height, "to_width": to_width, "to_height": to_height})
print(json.dumps(cases))
