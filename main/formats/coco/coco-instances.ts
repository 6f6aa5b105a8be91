import { boxOfPoints, signedPolygonArea } from '../../../preload/geometry/geometry.ts';
import { maskArea, maskBox, maskToRunLengths } from '../../../preload/geometry/mask-runs.ts';
import { maskToPolygons } from '../../../preload/geometry/mask-polygons.ts';
import {
  createPolygonRasterizer,
  ellipseToMask,
  type PolygonRasterizer,
  polygonsToRunLengths,
} from '../../../preload/geometry/polygon-raster.ts';
import { areaOfCounts, mergeRunLengths, type RunLengths } from '../../../preload/geometry/run-length.ts';
import type { FormatReport } from '../kit/report.ts';
import type { FrameInfo, ImageSize, LabeledShape } from '../kit/task-data.ts';
import { crowdOf } from './crowd.ts';
import type { CocoCodec, FixedPolygon } from './fast/fast-codec.ts';

/** Encoding of masks: uncompressed RLE, compressed RLE, polygons, or CVAT's way (RLE crowds). */
export type MaskMode = 'plain' | 'rle' | 'polygons' | 'cvat';

export interface CocoInstance {
  /** Shape whose label, attributes and score are written. */
  readonly leader: LabeledShape;
  readonly polygons: readonly (readonly number[])[];
  /** One polygon in fixed-point units, instead of `polygons`. Valid only until the next instance. */
  readonly fixed?: FixedPolygon;
  /** Used instead of polygons. */
  readonly runs: RunLengths | undefined;
  /** Writes the run lengths as a string in the encoding of pycocotools. */
  readonly isCompressed?: boolean;
  readonly isCrowd: boolean;
  readonly area: number;
  /** Left, top, right, bottom. */
  readonly box: readonly [number, number, number, number];
  /** Keypoints of a skeleton: x, y and state of each point. */
  readonly keypoints?: readonly number[];
}

export interface InstanceBuilder {
  /** Emits the annotations for the shapes of one frame. Shapes that cannot be written are reported. */
  build(frame: FrameInfo, shapes: readonly LabeledShape[], emit: (instance: CocoInstance) => void): void;
  /** Reports the numbers of exported shapes. Call it after the last frame. */
  finish(): void;
}

const noPolygons: readonly (readonly number[])[] = [];

const lostRules: Readonly<Record<string, string>> = {
  polyline: 'COCO has no open lines.',
  points: 'COCO has no points outside keypoints.',
  cuboid: 'COCO has no cuboids.',
  skeleton: 'COCO 1.0 has no skeletons; COCO Keypoints 1.0 has.',
};
const unknownSizeRule = 'The size of the image is not known, and a mask cannot be written without it.';

function sizeOf(shape: LabeledShape): number {
  return shape.type === 'mask' ? maskArea(shape.points) : Math.abs(signedPolygonArea(shape.points));
}

function boxOf(shape: LabeledShape): [number, number, number, number] {
  if (shape.type === 'mask') {
    const { left, top, width, height } = maskBox(shape.points);
    return [left, top, left + width, top + height];
  }
  const box = boxOfPoints(shape.points);
  return box ? [box.left, box.top, box.right, box.bottom] : [0, 0, 0, 0];
}

function unionBox(shapes: readonly LabeledShape[]): readonly [number, number, number, number] {
  const [first, ...rest] = shapes.map(boxOf);
  let [left, top, right, bottom] = first ?? [0, 0, 0, 0];
  for (const box of rest) {
    left = Math.min(left, box[0]);
    top = Math.min(top, box[1]);
    right = Math.max(right, box[2]);
    bottom = Math.max(bottom, box[3]);
  }
  return [left, top, right, bottom];
}

/** Area stated by the imported file, unless a shape was edited or added since. */
function statedArea(shapes: readonly LabeledShape[]): number | undefined {
  let sum = 0;
  for (const { area } of shapes) {
    if (area === undefined) return undefined;
    sum += area;
  }
  return sum;
}

const maxGuessedSide = 65_536;

/** If the image size is unknown, uses the extent of the shape: the raster only serves to count the area. */
function rasterSize(image: ImageSize, box: readonly number[]): ImageSize {
  if (image.width > 0 && image.height > 0) return image;
  const side = (end = 0): number => Math.max(1, Math.min(maxGuessedSide, Math.ceil(end) + 1));
  return { width: side(box[2]), height: side(box[3]) };
}

/** Far beyond every image. Rasterizing steps along the edges, so it needs a limit. */
const maxRasterCoordinate = 1_000_000;

function rasterPoints(points: readonly number[]): readonly number[] {
  const isNear = points.every((value) => value <= maxRasterCoordinate && value >= -maxRasterCoordinate);
  if (isNear) return points;
  return points.map((value) => Math.max(-maxRasterCoordinate, Math.min(maxRasterCoordinate, value)));
}

function rectangleInstance(shape: LabeledShape): CocoInstance {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = shape.points;
  const area = shape.area ?? Math.abs((x2 - x1) * (y2 - y1));
  const box = [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)] as const;
  return { leader: shape, polygons: noPolygons, runs: undefined, isCrowd: crowdOf(shape) ?? false, area, box };
}

function polygonInstance(shape: LabeledShape, image: ImageSize, rasterizer: PolygonRasterizer): CocoInstance {
  const box = boxOf(shape);
  const { width, height } = rasterSize(image, box);
  const area = shape.area ?? rasterizer.area(rasterPoints(shape.points), width, height);
  return { leader: shape, polygons: [shape.points], runs: undefined, isCrowd: false, area, box };
}

function fixedInstance(
  shape: LabeledShape,
  polygon: FixedPolygon,
  image: ImageSize,
  rasterizer: PolygonRasterizer,
): CocoInstance {
  const power = 10 ** polygon.exponent;
  const [left, top, right, bottom] = polygon.box;
  const box = [left / power, top / power, right / power, bottom / power] as const;
  const { width, height } = rasterSize(image, box);
  const area = shape.area ?? rasterizer.area(rasterPoints(shape.points), width, height);
  return { leader: shape, polygons: noPolygons, fixed: polygon, runs: undefined, isCrowd: false, area, box };
}

function runsOf(shape: LabeledShape, { width, height }: ImageSize): RunLengths {
  return shape.type === 'mask'
    ? maskToRunLengths(shape.points, width, height)
    : polygonsToRunLengths([rasterPoints(shape.points)], width, height);
}

/** The largest shape of a group gives the label and attributes. */
function leaderOf(parts: readonly LabeledShape[]): LabeledShape | undefined {
  let leader: LabeledShape | undefined;
  let largest = -1;
  for (const part of parts) {
    const size = sizeOf(part);
    if (size <= largest) continue;
    largest = size;
    leader = part;
  }
  return leader;
}

export function createInstanceBuilder(report: FormatReport, maskMode: MaskMode, way: CocoCodec): InstanceBuilder {
  const rasterizer = createPolygonRasterizer();
  const readPolygon = way.createPolygonReader();
  const included = new Map<string, Map<string, number>>();

  const count = ({ type, label }: LabeledShape): void => {
    let types = included.get(label);
    if (!types) included.set(label, (types = new Map<string, number>()));
    types.set(type, (types.get(type) ?? 0) + 1);
  };

  const noGroups =
    'COCO has groups only for polygons and masks that form one object: boxes, and single polygons or masks, have no group.';
  const asPixels = 'Written as RLE: COCO stores crowds, and polygons that are one object with a mask, as pixels.';
  const lose = (shape: LabeledShape, rule: string): undefined => void report.dropped(shape.type, shape.label, rule);

  const ellipseMask = (shape: LabeledShape, { width, height }: ImageSize): LabeledShape | undefined => {
    if (width <= 0 || height <= 0) return lose(shape, unknownSizeRule);
    const points = ellipseToMask(shape.points, shape.rotation ?? 0, width, height);
    if (!points) return lose(shape, 'The ellipse is outside the image.');
    report.dropped('ellipse', shape.label, 'COCO has no ellipses: written as a mask.');
    return { ...shape, type: 'mask', points, rotation: 0 };
  };

  /** The shape that COCO can store instead of this one; undefined, with a report, if there is none. */
  const convertible = (shape: LabeledShape, image: ImageSize): LabeledShape | undefined => {
    if (shape.type === 'rectangle' || shape.type === 'polygon') {
      count(shape);
      return shape;
    }
    if (shape.type === 'ellipse') return ellipseMask(shape, image);
    if (shape.type !== 'mask') return lose(shape, lostRules[shape.type] ?? 'COCO has no such shape.');
    if (image.width <= 0 || image.height <= 0) return lose(shape, unknownSizeRule);
    if (maskMode !== 'polygons') count(shape);
    return shape;
  };

  const toPolygons = (shape: LabeledShape): readonly (readonly number[])[] => {
    if (shape.type !== 'mask') return [shape.points];
    report.dropped(
      'mask',
      shape.label,
      'Written as polygons: they are accurate to a pixel, and holes are joined to the outline.',
    );
    return maskToPolygons(shape.points);
  };

  /** Joins polygons and masks of one object (one group on one frame, or a single mask). */
  const joined = (parts: readonly LabeledShape[], image: ImageSize): CocoInstance | undefined => {
    const leader = leaderOf(parts);
    if (!leader) return undefined;
    const crowd = crowdOf(leader);
    const holdsMask = parts.some((part) => part.type === 'mask' && part.label === leader.label);
    const asRuns = crowd === true || (holdsMask && maskMode !== 'polygons');
    for (const part of parts) {
      if (part.label !== leader.label)
        lose(part, `Joined to the object "${leader.label}" of its group, because COCO gives a group one category.`);
    }
    const box = unionBox(parts);
    const size = rasterSize(image, box);
    if (asRuns) {
      for (const part of parts) if (part.type === 'polygon') lose(part, asPixels);
      const runs = mergeRunLengths(parts.map((part) => runsOf(part, size)));
      const isCrowd = crowd ?? maskMode === 'cvat';
      const isCompressed = maskMode === 'rle' && !isCrowd;
      const area = statedArea(parts) ?? areaOfCounts(runs.counts);
      return { leader, polygons: noPolygons, runs, isCompressed, isCrowd, area, box };
    }
    const polygons = parts.flatMap(toPolygons);
    const area =
      statedArea(parts) ??
      areaOfCounts(polygonsToRunLengths(polygons.map(rasterPoints), size.width, size.height).counts);
    return polygons.length === 0 ? undefined : { leader, polygons, runs: undefined, isCrowd: false, area, box };
  };

  const single = (shape: LabeledShape, image: ImageSize): CocoInstance | undefined => {
    if (shape.type === 'rectangle') return rectangleInstance(shape);
    if (shape.type === 'polygon' && crowdOf(shape) !== true) {
      const fixed = readPolygon(shape);
      return fixed ? fixedInstance(shape, fixed, image, rasterizer) : polygonInstance(shape, image, rasterizer);
    }
    return joined([shape], image);
  };

  return {
    build(frame, shapes, emit) {
      let groups: Map<number, LabeledShape[]> | undefined;
      for (const original of shapes) {
        const shape = convertible(original, frame);
        if (!shape) continue;
        // Boxes of a group are written separately, because one joined box would lose them.
        if (shape.group !== 0 && shape.type !== 'rectangle') {
          groups ??= new Map<number, LabeledShape[]>();
          const members = groups.get(shape.group);
          if (members) members.push(shape);
          else groups.set(shape.group, [shape]);
          continue;
        }
        if (shape.group !== 0) lose(shape, noGroups);
        const instance = single(shape, frame);
        if (instance) emit(instance);
      }
      if (!groups) return;
      for (const [only, ...others] of groups.values()) {
        if (!only) continue;
        if (others.length === 0) lose(only, noGroups);
        const instance = others.length === 0 ? single(only, frame) : joined([only, ...others], frame);
        if (instance) emit(instance);
      }
    },
    finish() {
      for (const [label, types] of included) for (const [type, number] of types) report.included(type, label, number);
    },
  };
}
