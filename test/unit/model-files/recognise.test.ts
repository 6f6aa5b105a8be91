import { expect, test } from 'vitest';
import { readPythonLiteral } from '../../../main/model-files/onnx/python-literal.ts';
import type { Dimension, OnnxFacts, OnnxValue } from '../../../main/model-files/onnx/read-onnx.ts';
import { recognise } from '../../../main/model-files/recognise/recognise.ts';

const value = (name: string, dimensions: readonly Dimension[], type = 'float32'): OnnxValue => ({
  name,
  type,
  dimensions,
});
const facts = (
  inputs: readonly OnnxValue[],
  outputs: readonly OnnxValue[],
  metadata: Readonly<Record<string, string>> = {},
): OnnxFacts => ({ producer: '', operatorSet: 17, nodeCount: 1, inputs, outputs, metadata });

const picture = value('images', [1, 3, 640, 640]);
const names = `{${Array.from({ length: 80 }, (_, index) => `${index}: 'label ${index}'`).join(', ')}}`;
const ultralytics = (task: string, output: readonly Dimension[], more: object = {}, second?: readonly Dimension[]) =>
  facts([picture], [value('output0', output), ...(second === undefined ? [] : [value('output1', second)])], {
    task,
    stride: '32',
    imgsz: '[640, 640]',
    names,
    ...more,
  });

/** Outputs of exporters by family: the head, and the parts that decide the results. */
const families: readonly (readonly [string, OnnxFacts, object])[] = [
  ['YOLO v8 to v12', ultralytics('detect', [1, 84, 8400]), { head: 'yolo', overlap: 0.45 }],
  [
    'the same with overlaps taken away',
    ultralytics('detect', [1, 300, 6], { end2end: 'True' }),
    { head: 'boxes', overlap: null },
  ],
  [
    'segments',
    ultralytics('segment', [1, 116, 8400], {}, [1, 32, 160, 160]),
    { head: 'yolo', task: 'segment', output: { shape: 'mask' } },
  ],
  [
    'poses',
    ultralytics('pose', [1, 135, 8400], { kpt_shape: '[17, 3]' }),
    { head: 'yolo', task: 'pose', output: { shape: 'skeleton' } },
  ],
  ['turned boxes', ultralytics('obb', [1, 85, 8400]), { head: 'yolo', task: 'oriented' }],
  ['finished turned boxes', ultralytics('obb', [1, 300, 7]), { head: 'boxes', output: { boxes: 'cxcywh' } }],
  ['classes', ultralytics('classify', [1, 80]), { head: 'classes', output: { shape: 'tag', scores: 'none' } }],
  ['YOLO v5', ultralytics('detect', [1, 25200, 85]), { head: 'yolo-objectness' }],
  [
    'RT-DETR of Ultralytics',
    ultralytics('detect', [1, 300, 6], { head: 'RTDETRDecoder' }),
    { head: 'boxes', input: { fit: 'stretch' }, output: { boxes: 'cxcywh', unit: 'share' } },
  ],
  ['YOLO v8 without metadata', facts([picture], [value('o', [1, 84, 8400])]), { head: 'yolo' }],
  ['YOLO v7 and YOLOX', facts([picture], [value('o', [1, 25200, 85])]), { head: 'yolo-objectness' }],
  [
    'RT-DETR, D-FINE',
    facts(
      [value('images', ['N', 3, 640, 640]), value('orig_target_sizes', ['N', 2], 'int64')],
      [value('labels', ['N', 300], 'int64'), value('boxes', ['N', 300, 4]), value('scores', ['N', 300])],
    ),
    { head: 'sized-boxes', overlap: null },
  ],
  [
    'DETR',
    facts(
      [value('pixel_values', ['b', 3, 'h', 'w']), value('pixel_mask', ['b', 'h', 'w'], 'int64')],
      [value('logits', ['b', 100, 92]), value('pred_boxes', ['b', 100, 4])],
    ),
    { head: 'detr', output: { scores: 'softmax' }, input: { mean: [0.485, 0.456, 0.406] } },
  ],
  [
    'RF-DETR',
    facts([value('input', [1, 3, 560, 560])], [value('dets', [1, 300, 4]), value('labels', [1, 300, 91])]),
    { head: 'detr', output: { scores: 'sigmoid' } },
  ],
  [
    'torchvision, in either order',
    facts(
      [value('image', [3, 'h', 'w'])],
      [value('b', ['n', 4]), value('s', ['n']), value('l', ['n'], 'int64'), value('m', ['n', 1, 'h', 'w'])],
    ),
    { head: 'instances', output: { first_label: 1, shape: 'mask' } },
  ],
  [
    'TensorFlow',
    facts(
      [value('image_tensor:0', [1, null, null, 3], 'uint8')],
      ['detection_boxes', 'detection_classes', 'detection_scores', 'num_detections'].map((name) =>
        value(name, [1, null]),
      ),
    ),
    { head: 'tensorflow-boxes', input: { layout: 'NHWC', divisor: 1 }, output: { boxes: 'yxyx', unit: 'share' } },
  ],
  [
    'MMDetection',
    facts([value('input', [1, 3, 'h', 'w'])], [value('dets', [1, 'n', 5]), value('labels', [1, 'n'], 'int64')]),
    { head: 'scored-boxes', input: { fit: 'corner' } },
  ],
  [
    'semantic segmentation',
    facts([value('input', ['N', 3, 'h', 'w'])], [value('out', ['N', 21, 'h', 'w'])]),
    { head: 'semantic', output: { first_label: 1 } },
  ],
  [
    'Segment Anything 2',
    facts(
      [value('image', [1, 3, 1024, 1024])],
      [
        value('high_res_feats_0', [1, 32, 256, 256]),
        value('high_res_feats_1', [1, 64, 128, 128]),
        value('image_embed', [1, 256, 64, 64]),
      ],
    ),
    { head: 'sam', kind: 'interactor', input: { fit: 'stretch' } },
  ],
];

test.each(families)('%s is recognized, with the evidence', (_name, file, expected) => {
  const found = recognise(file);
  expect(found.problem).toBeNull();
  expect(found.description).toMatchObject(expected);
  expect(found.reasons.length).toBeGreaterThan(0);
});

test('refuses a file without an image model, with its inputs and outputs', () => {
  const text = recognise(facts([value('bytes', ['N', 2048], 'int32')], [value('scores', ['N', 2])]));
  expect(text.description).toBeNull();
  expect(text.problem).toContain('bytes int32 [N, 2048]');
  const recurrent = recognise(facts([picture, value('state', [1, 128])], [value('o', [1, 84, 8400])]));
  expect(recurrent.problem).toContain('"state"');
  // Letters of a text line are not labels of boxes.
  const letters = recognise(facts([value('x', [null, 3, null, null])], [value('o', [null, null, 6625])]));
  expect(letters.description).toBeNull();
});

test('asks for unknown labels', () => {
  const { questions, description } = recognise(facts([picture], [value('o', [1, 7, 8400])]));
  expect(description?.labels).toEqual(['label 0', 'label 1', 'label 2']);
  expect(questions.join()).toContain('names of its 3 labels');
});

test('reads only literals of Python', () => {
  expect(readPythonLiteral(`{0: 'person', 1: "dog's", 2: 'a\\'b'}`)).toEqual(
    new Map([
      [0, 'person'],
      [1, "dog's"],
      [2, "a'b"],
    ]),
  );
  expect(readPythonLiteral('[640, -1.5e2, True, None, (1,)]')).toEqual([640, -150, true, null, [1]]);
  for (const text of ['__import__("os")', '[1, 2', "{'a': }", '', 'x', '['.repeat(100)]) {
    expect(readPythonLiteral(text), text).toBeUndefined();
  }
});
