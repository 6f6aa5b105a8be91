import type { Label } from '../../../preload/contract/schema/labels.ts';
import type { RequestCategory } from '../../../preload/contract/schema/native-functions.ts';
import { ForwardedError } from '../../platform/errors.ts';
import type { FrameRange, FrameService } from '../../work/tasks/frame-service.ts';
import { questionBody } from '../native/native-provider.ts';
import { functionPayload } from './function-payload.ts';
import { fitsAttribute, labelMapping, labelsForCall, type LabelMapping, type MappedLabel } from './label-mapping.ts';
import type { Model } from './model-caller.ts';
import { frameQuestion, nativeDetections, ownNames } from './native-call.ts';
import { readFrameImage, requireInside, shiftPoints, type Region } from './region.ts';
import type { RunParameters } from './run-parameters.ts';
import { checkPoints } from '../../work/annotations/annotation-rules.ts';
import {
  type AttributeValue,
  type LabeledData,
  type Shape,
  type SubShape,
  type Tag,
  shapeTypeSchema,
} from '../../../preload/contract/schema/annotations.ts';
import { shapeKinds, type ShapeType } from '../../../preload/contract/annotation-names.ts';
import { fitToFrame } from '../../../preload/geometry/frame-fit.ts';
import { labelTakes, misfit } from '../../../preload/contract/label-fit.ts';
import { maskFromRunLengths } from '../../../preload/geometry/mask-runs.ts';
import { polygonToRunLengths } from '../../../preload/geometry/polygon-raster.ts';
import { maskToPolygons } from '../../../preload/geometry/mask-polygons.ts';

type CallInput = Pick<RunParameters, 'task' | 'region' | 'threshold' | 'masksToPolygons' | 'mapping'> & {
  readonly category: RequestCategory;
  readonly range: FrameRange;
  readonly labels: readonly Label[];
  readonly frame: number;
};

/**
 * A detector call for a frame: its body and the parser of its answer. Agents get no image, because they download it.
 */
export function detectorCall(
  { description, provided }: Model,
  { category, range, labels, task, frame, region, threshold, masksToPolygons, mapping: chosen }: CallInput,
): {
  readonly body: (frames: FrameService, signal?: AbortSignal) => Promise<Buffer[]>;
  /** @throws ForwardedError 500 if the answer is not a detector's */
  readonly read: (answer: unknown, frames: FrameService) => DetectorAnswer;
} {
  const own = labelsForCall(description, chosen, labels);
  const mapping = labelMapping(chosen, own, labels);
  const phrases = description.takesPhrases ? own.map(({ name }) => name) : undefined;
  const filled = description.fillsAttributes ? own : undefined;
  const options = { frame, masksToPolygons, region };
  if (provided.provider === 'native') {
    const isChosen = Object.keys(Object(chosen)).length > 0;
    const about = { category, task, threshold, labels: description.labels, mapping, isChosen };
    return {
      async body(frames) {
        requireInside(region, frames.frame(range, frame));
        return questionBody(frameQuestion({ ...options, ...about }));
      },
      read: (answer, frames) =>
        convertDetections(nativeDetections(answer, mapping), {
          ...options,
          size: frames.frame(range, frame),
          mapping: ownNames(mapping),
        }),
    };
  }
  return {
    async body(frames, signal) {
      const image = await readFrameImage(frames, range, frame, {
        region,
        formats: description.imageFormats,
        signal,
      });
      return functionPayload(
        { image: image.bytes },
        { threshold: threshold ?? undefined, text_prompts: phrases, labels: filled },
      );
    },
    read(answer, frames) {
      const found = convertDetections(answer, { ...options, size: frames.frame(range, frame), mapping });
      if (!Array.isArray(answer)) throw new ForwardedError(500, found.problems.join(' '));
      return found;
    },
  };
}

export interface DetectorAnswer {
  readonly data: LabeledData;
  /** Reasons for dropped results, one sentence each. Results with unmapped labels are not reported. */
  readonly problems: readonly string[];
}

export interface ConversionOptions {
  readonly frame: number;
  /** Size of the complete frame; results are clipped to it. */
  readonly size: { readonly width: number; readonly height: number };
  readonly mapping: LabelMapping;
  readonly masksToPolygons: boolean;
  readonly region: Region | null;
}

interface Conversion extends ConversionOptions {
  /** Reports a value that is left out of a result. */
  readonly drop: (reason: string) => void;
}

type Item = Readonly<Record<string, unknown>>;

const maxProblems = 5;
const maxAttributeLength = 4096;
const noPoints = 'The shape has no points.';

/** Converts detections to annotations: maps labels and attributes, encodes masks, and adds the region's offset. */
function convertDetections(answer: unknown, options: ConversionOptions): DetectorAnswer {
  const data: LabeledData = { version: 0, tags: [], shapes: [], tracks: [], intervals: [] };
  const problems: string[] = [];
  if (!Array.isArray(answer)) {
    return { data, problems: ['The function did not return a list of results.'] };
  }
  let count = 0;
  const drop = (problem: string): void => {
    count += 1;
    if (problems.length < maxProblems) problems.push(problem);
  };
  for (const [index, item] of answer.entries()) {
    try {
      addItem(data, item as unknown, { ...options, drop: (reason) => drop(`A value was dropped: ${reason}`) });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      drop(`Result ${index + 1} was dropped: ${reason}`);
    }
  }
  if (count > problems.length) problems.push(`${count - problems.length} more were dropped.`);
  return { data, problems };
}

function addItem(data: LabeledData, value: unknown, options: Conversion): void {
  if (typeof value !== 'object' || value === null) throw new Error('it is not an object.');
  const item = value as Item;
  const mapped = options.mapping.get(String(item['label'] ?? ''));
  if (!mapped) return;
  if (item['type'] === 'tag') {
    requireFit(mapped, 'tag');
    data.tags.push(tagOf(item, mapped, options));
    return;
  }
  const shape = shapeOf(item, mapped, options);
  if (shape) data.shapes.push(inFrame(shape, options));
}

/** Clips borders that models place slightly outside of the image. */
function inFrame(shape: Shape, { size }: Conversion): Shape {
  const { fit, points, elements } = fitToFrame<SubShape>(shape, size);
  if (fit === 'outside') throw new Error(`it is outside of its image of ${size.width} × ${size.height} pixels.`);
  return { ...shape, points: [...points], elements: [...(elements ?? shape.elements)] };
}

function tagOf(item: Item, mapped: MappedLabel, { frame, drop }: Conversion): Tag {
  return {
    frame,
    label_id: mapped.label.id,
    group: groupOf(item),
    source: 'auto',
    attributes: attributesOf(item, mapped, drop),
  };
}

function shapeOf(item: Item, mapped: MappedLabel, options: Conversion): Shape | null {
  const type = typeOf(item);
  const base = subShape(item, mapped, type, options);
  if (type === 'skeleton') {
    requireFit(mapped, type);
    const elements = skeletonElements(item, mapped, options);
    return elements === null ? null : { ...base, points: [], elements };
  }
  const outline = type === 'mask' ? polygonOf(item, mapped, options) : null;
  const shape = asMask({ ...base, ...(outline ?? { points: pointsOf(item, type, options.region) }) }, mapped);
  checkPoints(shape);
  requireFit(mapped, shape.type);
  return { ...shape, elements: [] };
}

function requireFit({ label }: MappedLabel, type: ShapeType | 'tag'): void {
  if (!labelTakes(label.type, type)) throw new Error(misfit(label, type));
}

/** Converts a polygon if its label accepts only masks. */
function asMask(shape: SubShape, { label }: MappedLabel): SubShape {
  if (shape.type !== 'polygon' || label.type !== 'mask') return shape;
  const { points } = shape;
  checkPoints(shape);
  const reach = (axis: number): number =>
    points.reduce((most, value, index) => (index % 2 === axis ? Math.max(most, Math.ceil(value)) : most), 1);
  const mask = maskFromRunLengths(polygonToRunLengths(points, reach(0), reach(1)));
  if (mask === null) throw new Error('its polygon covers no pixel.');
  return { ...shape, type: 'mask', points: mask };
}

/**
 * Converts a mask to a polygon if that was requested and the label accepts it, or if the label accepts nothing else.
 */
function polygonOf(item: Item, { label }: MappedLabel, { masksToPolygons, region }: Conversion) {
  const isWanted = label.type === 'polygon' || (masksToPolygons && label.type !== 'mask');
  if (!isWanted) return null;
  const contour = Array.isArray(item['points']) ? numbers(item['points']) : null;
  if (contour && contour.length >= 6) return { type: 'polygon' as const, points: shiftPoints(contour, region) };
  const [largest] = maskToPolygons(maskOf(item, region)).toSorted((a, b) => b.length - a.length);
  if (!largest) throw new Error('its mask has no outline.');
  return { type: 'polygon' as const, points: largest };
}

function subShape(item: Item, mapped: MappedLabel, type: ShapeType, { frame, drop }: Conversion): SubShape {
  const rotation = Number(item['rotation'] ?? 0);
  return {
    type,
    frame,
    label_id: mapped.label.id,
    group: groupOf(item),
    source: 'auto',
    occluded: isTrue(item['occluded']),
    outside: isTrue(item['outside']),
    z_order: Number.isSafeInteger(item['z_order']) ? Number(item['z_order']) : 0,
    rotation: shapeKinds[type].rotates === true && Number.isFinite(rotation) ? ((rotation % 360) + 360) % 360 : 0,
    points: [],
    attributes: attributesOf(item, mapped, drop),
    score: scoreOf(item['confidence']),
  };
}

function typeOf(item: Item): ShapeType {
  const type = shapeTypeSchema.safeParse(item['type']);
  if (type.success) return type.data;
  throw new Error(`its type ${JSON.stringify(item['type'])} is unknown.`);
}

function pointsOf(item: Item, type: ShapeType, region: Region | null): number[] {
  if (type === 'mask') return maskOf(item, region);
  if (!Array.isArray(item['points'])) throw new Error(noPoints);
  return shiftPoints(numbers(item['points']), region);
}

/** Returns no coordinates if one of them is not a finite number. */
function numbers(values: readonly unknown[]): number[] {
  const flat = values.flat(2).map((value) => (value === null ? Number.NaN : Number(value)));
  if (!flat.every(Number.isFinite)) throw new Error('its coordinates are not all numbers.');
  return flat;
}

/** Agents of native functions encode their masks already. */
function maskOf(item: Item, region: Region | null): number[] {
  if (!Array.isArray(item['runs'])) return packMask(item['mask'], region);
  const packed = numbers(item['runs']);
  return [...packed.slice(0, -4), ...shiftPoints(packed.slice(-4), region)];
}

/** Converts row-major values plus box to run lengths (starting with zeros) plus box. */
function packMask(value: unknown, region: Region | null): number[] {
  if (!Array.isArray(value) || value.length < 5) throw new Error('it has no mask.');
  const box = numbers(value.slice(-4));
  const [left = 0, top = 0, right = 0, bottom = 0] = box;
  const size = (right - left + 1) * (bottom - top + 1);
  const count = value.length - 4;
  if (!box.every(Number.isSafeInteger) || right < left || bottom < top || size !== count) {
    throw new Error(`its mask has ${count} pixels, which does not match its box [${box.join(', ')}].`);
  }
  const runs: number[] = [];
  let isSet = false;
  let run = 0;
  let area = 0;
  for (let index = 0; index < count; index += 1) {
    const isPixel = Number(value[index]) > 0;
    if (isPixel) area += 1;
    if (isPixel === isSet) run += 1;
    else {
      runs.push(run);
      run = 1;
      isSet = isPixel;
    }
  }
  if (area === 0) throw new Error('its mask is empty.');
  runs.push(run);
  return [...runs, ...shiftPoints([left, top, right, bottom], region)];
}

/** One element for each sublabel. Missing points are placed at the centre and marked as outside. */
function skeletonElements(item: Item, mapped: MappedLabel, options: Conversion): SubShape[] | null {
  const given = Array.isArray(item['elements']) ? (item['elements'] as unknown[]) : [];
  const found = new Map<number, SubShape>();
  for (const value of given) {
    const element = Object(value) as Item;
    const part = mapped.sublabels.get(String(element['label'] ?? ''));
    if (!part) continue;
    const type = typeOf(element);
    requireFit(part, type);
    const shape = { ...subShape(element, part, type, options), points: pointsOf(element, type, options.region) };
    checkPoints(shape);
    found.set(part.label.id, shape);
  }
  const elements = [...found.values()];
  if (elements.every(({ outside }) => outside)) return null;
  const middle = [0, 1].map(
    (axis) => elements.reduce((sum, { points }) => sum + (points[axis] ?? 0), 0) / elements.length,
  );
  return mapped.parts.map((part) => {
    const element = found.get(part.id);
    if (element) return element;
    const type = shapeTypeSchema.safeParse(part.type).data ?? 'points';
    const [first] = elements;
    return {
      ...subShape({}, { ...mapped, label: part, attributes: new Map() }, type, options),
      points: Array.from({ length: pairsOf(type) }, () => middle).flat(),
      group: first?.group ?? 0,
      outside: true,
    };
  });
}

const pairsOf = (type: ShapeType): number => {
  const { exactly, least } = shapeKinds[type];
  return type === 'mask' ? 1 : Math.max(1, (exactly ?? least ?? 2) / 2);
};

/** Values that fit the attributes of the task's label; others are dropped. */
export function attributesOf(
  item: Item,
  { attributes }: Pick<MappedLabel, 'attributes'>,
  drop: (reason: string) => void,
): AttributeValue[] {
  if (!Array.isArray(item['attributes'])) return [];
  return item['attributes'].flatMap((entry: unknown): AttributeValue[] => {
    const own = attributes.get(String(Reflect.get(Object(entry), 'name')));
    const value = String(Reflect.get(Object(entry), 'value') ?? '');
    if (!own) return [];
    if (!fitsAttribute(own, value)) {
      drop(`"${value.slice(0, 60)}" is not a value of "${own.name}".`);
      return [];
    }
    return [{ spec_id: own.id, value: value.slice(0, maxAttributeLength) }];
  });
}

function groupOf(item: Item): number {
  const group = Number(item['group_id'] ?? 0);
  return Number.isSafeInteger(group) && group >= 0 ? group : 0;
}

const isTrue = (value: unknown): boolean => value === true || value === 1 || value === 'true';

/** Tolerance for rounding errors of models. */
const scoreTolerance = 0.001;

/** Reads a number or numeric string; 1 if the model gives no confidence. */
function scoreOf(value: unknown): number {
  if (value === undefined || value === null || value === '') return 1;
  const score = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
  if (score >= -scoreTolerance && score <= 1 + scoreTolerance) return Math.min(1, Math.max(0, score));
  throw new Error(`its confidence ${JSON.stringify(String(value).slice(0, 60))} is not a number from 0 to 1.`);
}
