import { expect, test } from 'vitest';
import { readConfigurations } from '../../../main/model-files/configurations/read-configuration.ts';
import type { Dimension, OnnxFacts } from '../../../main/model-files/onnx/read-onnx.ts';
import { allReadings, recognise } from '../../../main/model-files/recognise/recognise.ts';

const model = (input: readonly Dimension[], output: readonly Dimension[], outputName = 'output'): OnnxFacts => ({
  producer: '',
  operatorSet: 17,
  nodeCount: 1,
  inputs: [{ name: 'images', type: 'float32', dimensions: input }],
  outputs: [{ name: outputName, type: 'float32', dimensions: output }],
  metadata: {},
});
const read = (facts: OnnxFacts, files: Readonly<Record<string, string>>) =>
  recognise(facts, null, allReadings, readConfigurations(new Map(Object.entries(files)), 'model.onnx'));
const square = [1, 3, 640, 640] as const;

test('data.yaml of Ultralytics names the labels, in either form', () => {
  for (const names of ['[crack, dent, rust]', '{0: crack, 1: dent, 2: rust}']) {
    const found = read(model(square, [1, 7, 8400]), { 'data.yaml': `path: x\nnames: ${names}\n` });
    expect(found.description?.labels).toEqual(['crack', 'dent', 'rust']);
    expect(found.reasons).toContain('The labels (3) come from "data.yaml".');
    expect(found.questions.join(' ')).not.toContain('does not contain the names');
  }
});

test('labels that contradict the number in the graph are a question', () => {
  const found = read(model(square, [1, 7, 8400]), { 'data.yaml': 'names: [crack, dent]' });
  expect(found.description?.labels).toEqual(['label 0', 'label 1', 'label 2']);
  expect(found.questions).toContain('"data.yaml" has 2 labels that do not match the model. Choose which is right.');
});

test('metadata.yaml of Ultralytics replaces missing metadata, and is refused if the outputs contradict it', () => {
  const text = 'task: pose\nstride: 32\nimgsz: [640, 640]\nkpt_shape: [17, 3]\nnames: {0: person}\n';
  const found = read(model(square, [1, 56, 8400]), { 'metadata.yaml': text });
  expect(found.description).toMatchObject({ task: 'pose', labels: ['person'] });
  expect(found.reasons[0]).toBe('The metadata comes from "metadata.yaml".');
  expect(found.questions).toEqual([]);
  const other = read(model([1, 3, 224, 224], [1, 1000]), { 'metadata.yaml': text });
  expect(other.questions.join(' ')).toContain('"metadata.yaml" does not fit the outputs of the model');
});

test('Hugging Face’s configurations name labels, size, mean, rescaling and the kind', () => {
  const config = JSON.stringify({ architectures: ['ViTForImageClassification'], id2label: { 0: 'cat', 1: 'dog' } });
  const preprocessor = JSON.stringify({
    do_resize: true,
    size: { height: 384, width: 384 },
    resample: 2,
    do_rescale: true,
    rescale_factor: 0.00392156862745098,
    do_normalize: true,
    image_mean: [0.5, 0.5, 0.5],
    image_std: [0.5, 0.5, 0.5],
  });
  const files = { 'config.json': config, 'preprocessor_config.json': preprocessor };
  const found = read(model(['b', 3, 'h', 'w'], ['b', 2], 'logits'), files);
  expect(found.description).toMatchObject({
    head: 'classes',
    labels: ['cat', 'dog'],
    input: { width: 384, height: 384, divisor: 255, mean: [0.5, 0.5, 0.5], fit: 'stretch', smooth: true },
  });
  expect(found.questions.join(' ')).not.toMatch(/normalization|resized|names of its/);
  const fixed = read(model([1, 3, 224, 224], [1, 2], 'logits'), files);
  expect(fixed.description?.input).toMatchObject({ width: 224, height: 224 });
  expect(fixed.questions.join(' ')).toContain('has the size 384 × 384, the model has 224 × 224');
});

test('Hugging Face’s kind decides between readings, and a contradiction is a question', () => {
  const facts = model([1, 3, 224, 224], [1, 768]);
  expect(recognise(facts).readings.map(({ id }) => id)).toEqual(['classes', 'embedding']);
  const labels = Object.fromEntries(Array.from({ length: 768 }, (_, index) => [index, `kind ${index}`]));
  const config = JSON.stringify({ architectures: ['SwinForImageClassification'], id2label: labels });
  expect(read(facts, { 'config.json': config }).readings.map(({ id }) => id)).toEqual(['classes']);
  const other = JSON.stringify({ architectures: ['DetrForObjectDetection'] });
  expect(
    read(facts, { 'config.json': other }).readings.every(({ questions }) =>
      questions.some(({ text }) => text.includes('describes another kind of model')),
    ),
  ).toBe(true);
});

test('inference.yml of PaddleX names order, mean, rescaling and labels', () => {
  const text = `PreProcess:
  transform_ops:
  - ResizeImage: { resize_short: 256 }
  - CropImage: { size: 224 }
  - NormalizeImage: { mean: [0.4, 0.5, 0.6], std: [0.2, 0.3, 0.4], scale: 1./255., order: '' }
  - ToCHWImage: null
PostProcess:
  Topk: { topk: 5, label_list: [bee, wasp, fly] }
`;
  const found = read(model([null, 3, 224, 224], [null, 3]), { 'inference.yml': text });
  expect(found.description).toMatchObject({
    labels: ['bee', 'wasp', 'fly'],
    input: { divisor: 255, mean: [0.4, 0.5, 0.6], deviation: [0.2, 0.3, 0.4] },
  });
});

test('X-AnyLabeling’s configuration names classes and thresholds, and is not used for another file', () => {
  const text = (path: string) => `type: yolov8
name: parts
model_path: ${path}
iou_threshold: 0.6
conf_threshold: 0.4
classes: [bolt, nut]
`;
  const facts = model(square, [1, 6, 8400]);
  const found = read(facts, { 'parts.yaml': text('https://example.com/a/model.onnx') });
  expect(found.description).toMatchObject({ labels: ['bolt', 'nut'], threshold: 0.4, overlap: 0.6 });
  const other = read(facts, { 'parts.yaml': text('other.onnx') });
  expect(other.description?.labels).toEqual(['label 0', 'label 1']);
  expect(other.readings[0]?.against).toContain('"parts.yaml" describes the file "other.onnx" and is not used.');
});

test('reports files that are no known configuration, and never fails on them', () => {
  const facts = model(square, [1, 6, 8400]);
  for (const text of ['', '{', 'a: &a [*a, *a]', '[1, 2]', 'names: 7', 'x: !!js/function "f"']) {
    const found = read(facts, { 'odd.yaml': text, 'config.json': text });
    expect(found.description).toEqual(recognise(facts).description);
    expect(found.readings[0]?.against).toContain('"odd.yaml" cannot be read and is not used.');
  }
});
