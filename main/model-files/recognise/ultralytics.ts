import type { ModelDescription } from '../../../preload/contract/schema/model-files.ts';
import { readPythonLiteral } from '../onnx/python-literal.ts';
import type { OnnxFacts, OnnxValue } from '../onnx/read-onnx.ts';
import { descriptionOf, inputOf, type Recognised } from './base-description.ts';
import { cocoKeypoints, numbered } from './known.ts';

const tasks: Readonly<Record<string, ModelDescription['task']>> = {
  detect: 'detect',
  segment: 'segment',
  pose: 'pose',
  obb: 'oriented',
};

/** Models with Ultralytics metadata: labels, size, task. */
export function recogniseUltralytics(facts: OnnxFacts, picture: OnnxValue): Recognised | null {
  const { metadata, outputs } = facts;
  const labels = labelsOf(metadata['names']);
  if (labels === null || metadata['stride'] === undefined) return null;
  const reasons = [`The labels (${labels.length}) come from the file's metadata.`];
  const [high, wide] = sizesOf(metadata['imgsz']);
  const shape = inputOf(picture, 640);
  const input = {
    ...shape,
    ...(shape.is_size_free && wide !== undefined && high !== undefined ? { width: wide, height: high } : {}),
    fit: 'letterbox' as const,
    fill: 114,
  };
  reasons.push(
    "Images keep their proportions with gray padding (114), values from 0 to 1, as in the exporter's training.",
  );
  const nothing = { problem: null, questions: [], needs: 'nothing' as const };
  if (metadata['task'] === 'classify') {
    const cropped = { ...input, fit: 'crop' as const, fill: 0 };
    const output = { scores: 'none' as const, shape: 'tag' as const };
    const description = descriptionOf('classes', cropped, { labels, threshold: 0.25, output });
    return { ...nothing, reasons: [...reasons, 'It labels complete images (task in the metadata).'], description };
  }
  // The original YOLOv5 exporter writes no task.
  const task = tasks[metadata['task'] ?? 'detect'] ?? 'detect';
  const keypoints = task === 'pose' ? keypointsOf(metadata['kpt_shape']) : [];
  const shapes = { detect: 'rectangle', oriented: 'rectangle', segment: 'mask', pose: 'skeleton' } as const;
  const more = { task, labels, keypoints };
  const [dimensions = []] = [outputs[0]?.dimensions ?? []];
  const [rows, columns] = dimensions.slice(-2);
  const extra = { detect: 0, oriented: 1, segment: 32, pose: keypoints.length * 3 }[task];
  const isTransformer = /RTDETR/i.test(metadata['head'] ?? '') || /rt-?detr/i.test(metadata['description'] ?? '');
  if (isTransformer) {
    const stretched = { ...input, fit: 'stretch' as const, fill: 0 };
    const output = { boxes: 'cxcywh', unit: 'share', scores: 'none', shape: 'rectangle' } as const;
    const head = columns === 4 + labels.length && columns !== 6 ? 'yolo' : 'boxes';
    const words = 'Boxes are relative to the image (RT-DETR); non-maximum suppression is not needed.';
    return {
      ...nothing,
      reasons: [reasons[0] ?? '', words],
      description: descriptionOf(head, stretched, { ...more, output }),
    };
  }
  if (columns === 6 + extra) {
    const boxes = task === 'oriented' ? 'cxcywh' : 'xyxy';
    const output = { boxes, shape: shapes[task] } as const;
    reasons.push(`Rows of ${columns} numbers are final boxes: the model includes non-maximum suppression.`);
    return { ...nothing, reasons, description: descriptionOf('boxes', input, { ...more, output }) };
  }
  const output = { boxes: 'cxcywh', shape: shapes[task] } as const;
  const hasObjectness = columns === 5 + labels.length + extra && rows !== 4 + labels.length + extra;
  const head = hasObjectness ? 'yolo-objectness' : 'yolo';
  reasons.push(
    hasObjectness
      ? `Rows of ${columns} numbers: a box, a score for "an object" and one for each label.`
      : 'Columns of a box and a score for each label; Limner applies non-maximum suppression.',
  );
  return { ...nothing, reasons, description: descriptionOf(head, input, { ...more, overlap: 0.45, output }) };
}

function labelsOf(text: string | undefined): string[] | null {
  const names = text === undefined ? undefined : readPythonLiteral(text);
  if (names instanceof Map) {
    const count = [...names.keys()].reduce<number>((most, key) => Math.max(most, Number(key) + 1), 0);
    if (count < 1 || count > 100_000) return null;
    return Array.from(
      { length: count },
      (_, number) => String(names.get(number) ?? `label ${number}`) || `label ${number}`,
    );
  }
  return Array.isArray(names) && names.length > 0 ? names.map((name, index) => String(name) || `label ${index}`) : null;
}

function sizesOf(text: string | undefined): readonly number[] {
  const sizes = text === undefined ? undefined : readPythonLiteral(text);
  if (typeof sizes === 'number') return [sizes, sizes];
  return Array.isArray(sizes) ? sizes.filter((one) => typeof one === 'number' && one >= 8 && one <= 8192) : [];
}

function keypointsOf(text: string | undefined): string[] {
  const shape = text === undefined ? undefined : readPythonLiteral(text);
  const count = Array.isArray(shape) && typeof shape[0] === 'number' ? shape[0] : 17;
  return count === 17 ? [...cocoKeypoints] : numbered(Math.min(1000, count), 'point');
}
