import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { colourEncoder } from '../onnx/region-grower.ts';
import { projectRoot } from '../node-executable.ts';

/**
 * A handler that behaves like CVAT's for Segment Anything. CVAT's own files are not part of the project. If `CVAT_SAM`
 * names the folder with its `main.py` and `model_handler.py`, these are used unchanged.
 */
const ownHandler = {
  'main.py': `import base64
import io
import json

from PIL import Image

from model_handler import ModelHandler


def init_context(context):
    context.user_data.model = ModelHandler()


def handler(context, event):
    context.logger.info("call handler")
    picture = Image.open(io.BytesIO(base64.b64decode(event.body["image"]))).convert("RGB")
    features = context.user_data.model.handle(picture)
    values = features.cpu().numpy() if features.is_cuda else features.numpy()
    answer = {"blob": base64.b64encode(values).decode()}
    return context.Response(
        body=json.dumps(answer), headers={}, content_type="application/json", status_code=200
    )
`,
  'model_handler.py': `import numpy
import torch
from segment_anything import SamPredictor, sam_model_registry


class ModelHandler:
    def __init__(self):
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        model = sam_model_registry["vit_h"](checkpoint="/opt/nuclio/sam/sam_vit_h_4b8939.pth")
        model.to(device=device)
        self.predictor = SamPredictor(model)

    def handle(self, picture):
        self.predictor.set_image(numpy.array(picture))
        return self.predictor.get_image_embedding()
`,
};

/** The used parts of the two libraries that the handler imports, around an encoder small enough for a test. */
const libraries = {
  'torch.py': `class cuda:
    @staticmethod
    def is_available():
        return False


def device(name):
    return name
`,
  'segment_anything.py': `import os

import numpy
import onnxruntime
from PIL import Image

longest = 1024
mean = numpy.array([123.675, 116.28, 103.53], numpy.float32)
spread = numpy.array([58.395, 57.12, 57.375], numpy.float32)


class Features:
    is_cuda = False

    def __init__(self, values):
        self.values = values

    def numpy(self):
        return self.values


class Model:
    def __init__(self, checkpoint):
        encoder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "encoder.onnx")
        self.session = onnxruntime.InferenceSession(encoder, providers=["CPUExecutionProvider"])

    def to(self, device):
        return self


sam_model_registry = {"vit_h": Model}


class SamPredictor:
    def __init__(self, model):
        self.model = model

    def set_image(self, pixels):
        height, width = pixels.shape[:2]
        scale = longest / max(height, width)
        size = (int(width * scale + 0.5), int(height * scale + 0.5))
        values = (numpy.asarray(Image.fromarray(pixels).resize(size), numpy.float32) - mean) / spread
        square = numpy.zeros((longest, longest, 3), numpy.float32)
        square[: size[1], : size[0]] = values
        picture = numpy.ascontiguousarray(square.transpose(2, 0, 1)[None])
        self.features = self.model.session.run(None, {"image": picture})[0]

    def get_image_embedding(self):
        return Features(self.features)
`,
};

/** CVAT's configuration, from the fixtures of other programs. */
export const segmentConfiguration = (): string =>
  readFileSync(join(projectRoot, '../shared/fixtures/functions/pytorch.facebookresearch.sam/function.yaml'), 'utf8');

export function segmentFiles(): Record<string, string | Buffer> {
  const folder = process.env['CVAT_SAM'];
  const handler =
    folder === undefined
      ? ownHandler
      : Object.fromEntries(Object.keys(ownHandler).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  return { 'function.yaml': segmentConfiguration(), ...handler, ...libraries, 'encoder.onnx': colourEncoder() };
}
