"""A detector whose answer says which picture it saw, and when it was asked to be slow."""

import time

import cvat_sdk.auto_annotation as cvataa
import cvat_sdk.models as models
import numpy as np
from cvat_sdk.masks import encode_mask


class Detector:
    spec = cvataa.DetectionFunctionSpec(
        labels=[
            cvataa.label_spec(
                "car",
                0,
                type="rectangle",
                attributes=[cvataa.attribute_spec("size", 0, "select", ["small", "large"])],
            ),
            cvataa.label_spec("road", 1, type="mask"),
            cvataa.label_spec("scene", 2, type="tag"),
            cvataa.skeleton_label_spec(
                "body", 3, sublabels=[cvataa.keypoint_spec("head", 0), cvataa.keypoint_spec("foot", 1)]
            ),
        ]
    )

    def __init__(self, slow_from: int, fails_at: str):
        self._left = slow_from
        self._fails_at = fails_at

    def detect(self, context, image):
        if context.frame_name.endswith(self._fails_at) and self._fails_at:
            raise cvataa.BadFunctionError("nothing is known of this picture")
        if self._left == 0:
            time.sleep(3600)
        self._left -= 1
        bitmap = np.zeros((image.height, image.width), dtype=bool)
        bitmap[2:4, 3:8] = True
        car = cvataa.rectangle(0, [1, 2, image.width / 2, image.height / 2], rotation=90)
        car.attributes = [models.AttributeValRequest(spec_id=0, value="large")]
        return [
            car,
            cvataa.mask(1, encode_mask(bitmap, [3, 2, 8, 4])),
            cvataa.tag(2),
            cvataa.skeleton(3, [cvataa.keypoint(0, [5, 6]), cvataa.keypoint(1, [7, 8], outside=True)]),
        ]


def create(slow_from: int = -1, fails_at: str = ""):
    return Detector(slow_from, fails_at)
