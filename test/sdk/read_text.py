"""Draws images with lines of text and reads them with RapidOCR. Arguments: folder, number of images."""

import json
import logging
import random
import sys
from pathlib import Path

import numpy
from PIL import Image, ImageDraw, ImageFont
from rapidocr_onnxruntime import RapidOCR

logging.disable(logging.CRITICAL)

WORDS = (
    "Invoice Total Amount Bread Milk Coffee Street Number Thank you for your visit Receipt Date Cash Card Change "
    "Berlin Paris London Tuesday March order table guest price tax net gross kg pcs Exit Platform Warning Danger Keep "
    "closed Push Pull Open Sale Hotel Museum Garden Station quickly jumps over lazy fox window river mountain"
).split()


def text_line(chance: random.Random) -> str:
    kind = chance.randrange(4)
    if kind == 0:
        return " ".join(chance.choice(WORDS) for _ in range(chance.randint(1, 4)))
    if kind == 1:
        return f"{chance.choice(WORDS)} {chance.randint(1, 99)}.{chance.randint(0, 99):02d}"
    if kind == 2:
        return f"{chance.randint(1, 28):02d}/{chance.randint(1, 12):02d}/20{chance.randint(10, 26)} {chance.randint(0, 23)}:{chance.randint(10, 59)}"
    return f"No. {chance.randint(1000, 999999)}-{chance.choice('ABCDEFGH')}"


def draw(number: int) -> Image.Image:
    """Upright, tilted and coloured text; every fifth image has larger margins and another size."""
    chance = random.Random(number)
    width, height = chance.choice([(640, 480), (480, 640), (900, 500), (400, 300)])
    light = chance.random() < 0.8
    paper = tuple(chance.randint(200, 255) if light else chance.randint(0, 60) for _ in range(3))
    ink = tuple(chance.randint(0, 70) if light else chance.randint(200, 255) for _ in range(3))
    image = Image.new("RGB", (width, height), paper)
    pen = ImageDraw.Draw(image)
    top = chance.randint(10, 30)
    while top < height - 60:
        size = chance.randint(16, 34)
        pen.text((chance.randint(8, 40), top), text_line(chance), fill=ink, font=ImageFont.load_default(size))
        top += int(size * chance.uniform(1.5, 2.4))
    if number % 4 == 3:
        image = image.rotate(chance.uniform(-8, 8), resample=Image.BICUBIC, expand=True, fillcolor=paper)
    return image


def main() -> None:
    folder, count = Path(sys.argv[1]), int(sys.argv[2])
    reader = RapidOCR(intra_op_num_threads=1, inter_op_num_threads=1)
    pictures = []
    for number in range(count):
        image = draw(number)
        path = folder / f"{number}.png"
        image.save(path)
        found, _ = reader(numpy.asarray(image)[:, :, ::-1].copy())
        lines = [{"box": box, "text": text, "score": float(score)} for box, text, score in found or []]
        pictures.append({"file": path.name, "lines": lines})
    import rapidocr_onnxruntime

    models = str(Path(rapidocr_onnxruntime.__file__).parent / "models")
    print(json.dumps({"models": models, "pictures": pictures}))


main()
