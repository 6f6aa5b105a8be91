import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { createDockerHarness } from '../../support/functions/docker-harness.ts';
import { modelEnvironment } from '../../support/functions/python-models.ts';
import { squareFinder } from '../../support/onnx/square-finder.ts';

const harness = await createDockerHarness();
const environment = await modelEnvironment();
afterAll(() => harness.dispose());

const handler = `
import base64, json
import cv2, numpy, onnxruntime
from PIL import Image

def init_context(context):
    context.user_data.model = onnxruntime.InferenceSession("squares.onnx", providers=["CPUExecutionProvider"])

def handler(context, event):
    data = numpy.frombuffer(base64.b64decode(event.body["image"]), numpy.uint8)
    picture = cv2.cvtColor(cv2.imdecode(data, cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGB)
    assert Image.fromarray(picture).size == (320, 320)
    values = picture.transpose(2, 0, 1)[None].astype(numpy.float32) / 255
    found = context.user_data.model.run(None, {"images": values})[0][0]
    items = []
    for x, y, width, height, *scores in found.T.tolist():
        if max(scores) > 0.5:
            items.append([["red", "green"][scores.index(max(scores))], x - width / 2, y - height / 2])
    return context.Response(body=json.dumps(items), headers={}, content_type="application/json", status_code=200)
`;

test('builds a base image without the network from an environment with onnxruntime, OpenCV and Pillow', async () => {
  const { service } = harness.core.functions;
  const look = await service.inspectEnvironment(harness.admin, environment);
  expect(look.packages.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['numpy', 'onnxruntime', 'opencv-python-headless', 'pillow']),
  );
  expect(look.missing).toEqual([]);
  expect(look.package_bytes).toBeGreaterThan(100 * 1024 ** 2);
  const { image } = await service.buildBaseImage(harness.admin, { language: 'python', environment });
  const plain = await service.buildBaseImage(harness.admin, { language: 'python' });
  const layers = async (name: string) => (await harness.docker.getImage(name).inspect()).RootFS.Layers ?? [];
  // Both images share the layer of the interpreter.
  expect((await layers(image))[0]).toBe((await layers(plain.image))[0]);

  const directory = harness.folderWith({
    'main.py': handler,
    'function.yaml': `metadata:
  name: squares
  annotations: { name: Squares, type: detector, spec: '[{"name":"red"},{"name":"green"}]' }
spec:
  runtime: python:3.11
  handler: main:handler
`,
  });
  writeFileSync(join(directory, 'squares.onnx'), squareFinder());
  expect(await harness.deploy({ directory, base_image: image, way: 'handler' })).toMatchObject({
    state: 'ready',
    message: '',
  });
  const picture = await sharp({ create: { width: 320, height: 320, channels: 3, background: 'black' } })
    .composite([{ input: { create: { width: 64, height: 64, channels: 3, background: 'red' } }, left: 64, top: 128 }])
    .png()
    .toBuffer();
  const answer = await harness.call('squares', { image: picture.toString('base64') });
  expect(answer).toMatchObject({ status: 200, body: [['red', 64, 128]] });
});

test("finds packages of an environment in Debian's folder", async () => {
  const { service } = harness.core.functions;
  const own = join(harness.folderWith({}), 'environment');
  execFileSync('/usr/bin/python3', ['-m', 'venv', '--without-pip', own]);
  const [library = ''] = readdirSync(join(own, 'lib'));
  writeFileSync(join(own, 'lib', library, 'site-packages', 'tides.py'), 'LEVEL = 7\n');
  const { image } = await service.buildBaseImage(harness.admin, { language: 'python', environment: own });
  const directory = harness.folderWith({
    'main.py': 'import tides\n\ndef handler(context, event):\n    return {"level": tides.LEVEL}\n',
    'function.yaml': `metadata: { name: tides, annotations: { type: detector, spec: '[{"name":"high"}]' } }
spec: { runtime: 'python:3.11', handler: 'main:handler' }
`,
  });
  const deployed = await harness.deploy({ directory, base_image: image, way: 'handler' });
  expect(deployed).toMatchObject({ state: 'ready', message: '' });
  expect(await harness.call('tides', {})).toMatchObject({ status: 200, body: { level: 7 } });
});

test('refuses an invalid environment with its requirements', async () => {
  const { service } = harness.core.functions;
  const folder = harness.folderWith({ 'notes.txt': 'nothing' });
  await expect(service.inspectEnvironment(harness.admin, folder)).rejects.toThrow(/neither bin\/python3 nor wheels/);
  const wheels = harness.folderWith({ 'numpy-2.4.6-cp38-cp38-win_amd64.whl': '' });
  await expect(service.inspectEnvironment(harness.admin, wheels)).rejects.toThrow(/is not compatible with Python/);
});
