"""An interactor and a tracker whose answers can be known beforehand."""

import cvat_sdk.auto_annotation as cvataa
import cvat_sdk.models as models


class Interactor:
    spec = cvataa.InteractionFunctionSpec(min_pos_points=1, min_neg_points=0, min_bounding_boxes=0)

    def detect(self, context, image, prompts):
        (x, y) = prompts.pos_points[0]
        confidence = models.AttributeValRequest(
            spec_id=int(cvataa.InteractionResultAttributes.CONFIDENCE), value="0.5"
        )
        return [
            cvataa.InteractionResultShape(
                type="mask", points=[0, 4, x - 1, y - 1, x, y], attributes=[confidence]
            )
        ]


class Tracker:
    spec = cvataa.TrackingFunctionSpec(supported_shape_types={"rectangle"})

    def preprocess_image(self, context, image):
        return image

    def init_tracking_state(self, context, image, shape):
        return {"points": shape.points, "steps": 0}

    def track(self, context, image, state):
        state["steps"] += 1
        if state["steps"] > 1:
            return None
        return cvataa.TrackableShape(type="rectangle", points=[one + 1 for one in state["points"]])


def create(kind: str):
    return Interactor() if kind == "interactor" else Tracker()
