import { numbersOf, outputLike, sigmoid, softmax, squeezed, UnexpectedOutput, type Tensor } from '../tensor.ts';
import {
  insidePicture,
  labelOf,
  placedBox,
  rectangleItem,
  rounded,
  scoreText,
  withoutOverlaps,
  type Box,
  type DetectorItem,
  type HeadInput,
  type Scored,
} from './found.ts';
import { bitmapOf, linearMap, maskItems } from './masks.ts';

const four = (values: ArrayLike<number>, index: number, size = 4): [number, number, number, number] => [
  values[index * size] ?? 0,
  values[index * size + 1] ?? 0,
  values[index * size + 2] ?? 0,
  values[index * size + 3] ?? 0,
];

const lastOf = ({ dims }: Tensor): number => dims.at(-1) ?? 0;
const isFloat = ({ type }: Tensor): boolean => type.startsWith('float');

function boxItems(found: readonly Scored[], input: HeadInput): DetectorItem[] {
  return withoutOverlaps(found, input.description.overlap).flatMap(({ box, score, label }) => {
    const name = labelOf(input.description, label);
    const inside = insidePicture(box, input);
    return name === '' || inside === null ? [] : [rectangleItem(name, score, inside)];
  });
}

interface Instance extends Scored {
  readonly index: number;
}

/** Boxes whose score reaches the threshold; scores and labels are separate tensors. */
function instancesOf(
  { threshold }: HeadInput,
  scores: ArrayLike<number>,
  labels: Tensor,
  boxAt: (index: number) => Box,
): Instance[] {
  const names = numbersOf(labels);
  return Array.from(scores, (score, index) => ({
    index,
    score,
    label: Math.round(names[index] ?? 0),
    box: boxAt(index),
  })).filter(({ score }) => score >= threshold);
}

/** A score for each label of each box. With softmax the last label means "no object". */
export function decodeDetr(input: HeadInput): DetectorItem[] {
  const { outputs, description } = input;
  const boxes = outputLike(outputs, 'boxes', (one, name) => lastOf(one) === 4 && !/logit|label|score/i.test(name));
  const logits = outputLike(outputs, 'label scores', (one) => one !== boxes && one.dims.length >= 2 && isFloat(one));
  const [places, values] = [numbersOf(boxes), numbersOf(logits)];
  const size = lastOf(logits);
  const count = Math.min(places.length / 4, values.length / Math.max(1, size));
  const isSoftmax = description.output.scores === 'softmax';
  const found: Instance[] = [];
  for (let index = 0; index < count; index += 1) {
    const own = Array.from({ length: size }, (_, label) => values[index * size + label] ?? 0);
    const scores = isSoftmax ? softmax(own).subarray(0, -1) : own.map(scoreFunction(description.output.scores));
    let [label, score] = [0, 0];
    scores.forEach((value, one) => {
      if (value > score) [label, score] = [one, value];
    });
    if (score >= input.threshold && score > 0)
      found.push({ index, label, score, box: placedBox(four(places, index), input) });
  }
  const masks = Object.values(outputs).find(({ dims }) => squeezed(dims, 3).length === 3 && dims.length === 4) ?? null;
  const { shape } = description.output;
  if (masks === null || (shape !== 'mask' && shape !== 'polygon')) return boxItems(found, input);
  return maskedItems(found, masks, input, 0);
}

const scoreFunction = (scores: HeadInput['description']['output']['scores']) => (value: number) =>
  scores === 'sigmoid' ? sigmoid(value) : value;

/** Boxes in pixels of the size that was passed with the image, which is the image's size. */
export function decodeSizedBoxes(input: HeadInput): DetectorItem[] {
  const { outputs } = input;
  const boxes = outputLike(outputs, 'boxes', (one) => lastOf(one) === 4 && one.dims.length >= 2);
  const labels = outputLike(
    outputs,
    'labels',
    (one, name) => one !== boxes && (!isFloat(one) || /label|class/i.test(name)),
  );
  const scores = outputLike(outputs, 'scores', (one) => one !== boxes && one !== labels);
  const places = numbersOf(boxes);
  const found = instancesOf(input, numbersOf(scores), labels, (index) => {
    const [left, top, right, bottom] = four(places, index);
    return { left, top, right, bottom };
  });
  return boxItems(found, input);
}

/** torchvision: labels are integers; scores and boxes in either order; masks and points are optional. */
export function decodeInstances(input: HeadInput): DetectorItem[] {
  const { outputs, description } = input;
  const boxes = outputLike(outputs, 'boxes', (one) => lastOf(one) === 4 && squeezed(one.dims, 2).length === 2);
  const count = boxes.data.length / 4;
  const isList = ({ dims, data }: Tensor) => squeezed(dims, 1).length === 1 && data.length === count;
  const isLabels = (one: Tensor, name: string) => !isFloat(one) && isList(one) && !name.startsWith('num_');
  const labels = outputLike(outputs, 'labels', isLabels);
  const scores = outputLike(outputs, 'scores', (one) => one !== labels && isFloat(one) && isList(one));
  // YOLO-NAS and TensorRT pad the rows and return their number.
  const filled = Object.entries(outputs).find(([name]) => name.startsWith('num_'))?.[1];
  const most = filled === undefined ? count : (numbersOf(filled)[0] ?? count);
  const masks = Object.values(outputs).find(({ dims }) => dims.length === 4) ?? null;
  const points = Object.values(outputs).find((one) => one.dims.length === 3 && lastOf(one) === 3) ?? null;
  const places = numbersOf(boxes);
  const all = instancesOf(input, numbersOf(scores), labels, (index) => placedBox(four(places, index), input));
  const found = all.filter(({ index }) => index < most);
  return withoutOverlaps(found, description.overlap).flatMap((one): DetectorItem[] => {
    const name = labelOf(description, one.label);
    const box = insidePicture(one.box, input);
    if (name === '' || box === null) return [];
    const { shape } = description.output;
    if (points !== null && shape === 'skeleton') return [skeletonItem(name, one, points, input)];
    if (masks === null || (shape !== 'mask' && shape !== 'polygon')) return [rectangleItem(name, one.score, box)];
    return instanceMask(name, one, masks, input);
  });
}

function skeletonItem(
  label: string,
  { index, score }: Instance,
  points: Tensor,
  input: HeadInput,
  limit = 0,
): DetectorItem {
  const { placing, description } = input;
  const count = points.dims[1] ?? 0;
  const values = numbersOf(points);
  const elements = description.keypoints.slice(0, count).map((name, place) => {
    const [x = 0, y = 0, seen = 0] = [0, 1, 2].map((part) => values[(index * count + place) * 3 + part] ?? 0);
    const at = [(x - placing.offsetX) / placing.scaleX, (y - placing.offsetY) / placing.scaleY];
    return { label: name, type: 'points', outside: seen > limit ? 0 : 1, points: at.map(rounded) };
  });
  return { label, confidence: scoreText(score), type: 'skeleton', elements };
}

/** Masks of boxes. Those of the size of the model input cover it; smaller ones may cover their box. */
function maskedItems(found: readonly Instance[], masks: Tensor, input: HeadInput, limit = 0.5): DetectorItem[] {
  return withoutOverlaps(found, input.description.overlap).flatMap((one) => {
    const name = labelOf(input.description, one.label);
    const inside = name === '' ? null : insidePicture(one.box, input);
    return inside === null ? [] : instanceMask(name, { ...one, box: inside }, masks, input, limit);
  });
}

/** A mask that is pasted into its box. */
function boxMask(label: string, { index, score, box }: Instance, masks: Tensor, input: HeadInput): DetectorItem[] {
  const [height = 0, width = 0] = masks.dims.slice(-2);
  const at = linearMap(numbersOf(masks), width, height, index * width * height);
  const [across, down] = [width / (box.right - box.left), height / (box.bottom - box.top)];
  const bits = bitmapOf(box, input, (x, y) => at((x - box.left) * across, (y - box.top) * down) > 0.5);
  const shape = input.description.output.shape === 'polygon' ? 'polygon' : 'mask';
  return bits === null ? [] : maskItems(label, score, bits, shape);
}

/** A mask of the complete model input. */
function instanceMask(
  label: string,
  { index, score, box }: Instance,
  masks: Tensor,
  input: HeadInput,
  limit = 0.5,
): DetectorItem[] {
  const { placing, description } = input;
  const [height = 0, width = 0] = masks.dims.slice(-2);
  const at = linearMap(numbersOf(masks), width, height, index * width * height);
  const [across, down] = [width / placing.width, height / placing.height];
  const bits = bitmapOf(box, input, (x, y) => {
    const [column, line] = [x * placing.scaleX + placing.offsetX, y * placing.scaleY + placing.offsetY];
    return at(column * across, line * down) > limit;
  });
  const shape = description.output.shape === 'polygon' ? 'polygon' : 'mask';
  return bits === null ? [] : maskItems(label, score, bits, shape);
}

/** TensorFlow object detection: labels are floats, boxes are top, left, bottom, right. */
export function decodeTensorFlowBoxes(input: HeadInput): DetectorItem[] {
  const { outputs } = input;
  const named = (what: RegExp) => outputLike(outputs, String(what), (_, name) => what.test(name));
  const [boxes, classes, scores] = [named(/box/i), named(/class/i), named(/score/i)];
  const places = numbersOf(boxes);
  const found = instancesOf(input, numbersOf(scores), classes, (index) => placedBox(four(places, index), input));
  return boxItems(found, input);
}

/** Five numbers per box with the score last; labels, masks and points are separate outputs. */
export function decodeScoredBoxes(input: HeadInput): DetectorItem[] {
  const { outputs, description, placing } = input;
  const { shape } = description.output;
  const boxes = outputLike(outputs, 'boxes with scores', (one) => lastOf(one) === 5);
  const places = numbersOf(boxes);
  const scores = Array.from({ length: places.length / 5 }, (_, index) => places[index * 5 + 4] ?? 0);
  const boxAt = (index: number) => placedBox(four(places, index, 5), input);
  if (shape === 'skeleton') {
    const points = outputLike(outputs, 'points', (one) => one !== boxes && lastOf(one) === 3);
    const found = instancesOf(input, scores, { ...boxes, data: new Float32Array(scores.length) }, boxAt);
    const flat = { ...points, dims: squeezed(points.dims, 3) };
    return withoutOverlaps(found, description.overlap).map((one) =>
      skeletonItem(labelOf(description, description.output.first_label), one, flat, input, visiblePoint),
    );
  }
  const labels = outputLike(outputs, 'labels', (one) => one !== boxes && squeezed(one.dims, 1).length === 1);
  const masks = Object.values(outputs).find((one) => one !== boxes && squeezed(one.dims, 3).length === 3) ?? null;
  const found = instancesOf(input, scores, labels, boxAt);
  if (masks === null || shape === 'rectangle') return boxItems(found, input);
  if (masks.dims.length < 3) throw new UnexpectedOutput('its masks are invalid');
  const isOfInput = masks.dims.at(-1) === placing.width && masks.dims.at(-2) === placing.height;
  if (isOfInput) return maskedItems(found, masks, input);
  return withoutOverlaps(found, description.overlap).flatMap((one) => {
    const name = labelOf(description, one.label);
    return name === '' ? [] : boxMask(name, one, masks, input);
  });
}

const visiblePoint = 0.3;
