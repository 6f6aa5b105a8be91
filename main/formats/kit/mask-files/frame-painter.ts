import { maskArea, visitMask } from '../../../../preload/geometry/mask-runs.ts';
import type { FormatReport } from '../report.ts';
import type { Frame, LabeledShape } from '../task-data.ts';
import { hasArea, shapeMask } from './shape-mask.ts';

/** Shapes that form one object in a mask image: one shape, or a group. */
export interface PaintedInstance {
  /** The largest shape, which gives the label. */
  readonly leader: LabeledShape;
  readonly shapes: readonly LabeledShape[];
  readonly area: number;
}

export interface PaintedFrame {
  readonly width: number;
  readonly height: number;
  /** Row-major. 0 for background, else the index of the instance plus one. */
  readonly indices: Uint32Array;
  readonly instances: readonly PaintedInstance[];
}

export interface FramePainterOptions {
  /**
   * Selects the shapes to paint; the caller handles the others. By default all are painted, and those without an area
   * are reported.
   */
  readonly paints?: (shape: LabeledShape) => boolean;
  /** Does not report joined shapes of a group with one label, because the format joins all shapes of a label anyway. */
  readonly keepsGroups?: boolean;
  /** Paints every shape as a separate object, whatever its group. */
  readonly ignoresGroups?: boolean;
}

interface Part {
  readonly shape: LabeledShape;
  readonly mask: readonly number[];
  readonly area: number;
}

const partlyCovered = 'Partly covered by objects drawn later: a pixel belongs to one object.';
const whollyCovered = 'Completely covered by objects drawn later: a pixel belongs to one object.';

/**
 * Paints the shapes of a frame in order, later ones over earlier ones. Reports dropped of mask images: shapes without an
 * area, other types (converted to masks), joined groups, covered and cut-off pixels. Returns null if the frame has
 * nothing to paint.
 */
export function createFramePainter(
  report: FormatReport,
  format: string,
  options: FramePainterOptions = {},
): (frame: Frame) => PaintedFrame | null {
  const { paints = () => true, keepsGroups = false, ignoresGroups = false } = options;

  const lose = (shape: LabeledShape, rule: string): undefined => void report.dropped(shape.type, shape.label, rule);

  const partOf = (shape: LabeledShape, frame: Frame): Part | undefined => {
    if (!hasArea(shape)) return lose(shape, `${format} has no ${shape.type}, and it has no area to paint.`);
    if (frame.width <= 0 || frame.height <= 0)
      return lose(shape, 'The size of the image is not known, and a mask cannot be painted without it.');
    const mask = shapeMask(shape, frame);
    if (!mask) return lose(shape, 'It has no pixel in the image.');
    return { shape, mask, area: maskArea(mask) };
  };

  const leaderOf = ([first, ...others]: readonly [Part, ...Part[]]): Part =>
    others.reduce((leader, part) => (part.area > leader.area ? part : leader), first);

  const noteGroup = (parts: readonly Part[], leader: Part): void => {
    for (const { shape } of parts) {
      if (shape.label !== leader.shape.label)
        lose(shape, `Joined to the object "${leader.shape.label}" of its group: an object has one label.`);
      else if (!keepsGroups) lose(shape, 'Joined with the other shapes of its group to one mask.');
    }
  };

  const notePart = ({ shape, area }: Part, pixelsInImage: number, isVisible: boolean): void => {
    if (shape.type !== 'mask') lose(shape, `${format} has no ${shape.type}s: written as a mask.`);
    else if (pixelsInImage === 0) lose(shape, 'It has no pixel in the image.');
    else if (isVisible) report.included('mask', shape.label);
    if (pixelsInImage > 0 && pixelsInImage < area) lose(shape, 'Pixels outside the image were cut off.');
  };

  return (frame) => {
    const parts = frame.labeled_shapes
      .filter((shape) => !(shape.track_id !== undefined && shape.outside === true) && paints(shape))
      .flatMap((shape) => partOf(shape, frame) ?? []);
    if (parts.length === 0) return null;
    const { width, height } = frame;
    const indices = new Uint32Array(width * height);
    const groups = new Map<number | Part, [Part, ...Part[]]>();
    for (const part of parts) {
      const key = part.shape.group === 0 || ignoresGroups ? part : part.shape.group;
      const members = groups.get(key);
      if (members) members.push(part);
      else groups.set(key, [part]);
    }
    const instances = [...groups.values()].map((members) => ({ members, leader: leaderOf(members) }));
    const numberOf = new Map<Part, number>();
    instances.forEach(({ members, leader }, index) => {
      if (members.length > 1) noteGroup(members, leader);
      for (const part of members) numberOf.set(part, index + 1);
    });
    const painted = new Float64Array(instances.length + 1);
    const covered = new Float64Array(instances.length + 1);
    const inImage = new Map<Part, number>();
    for (const part of parts) {
      const number = numberOf.get(part) ?? 0;
      let pixels = 0;
      visitMask(part.mask, frame, (row, start, end) => {
        pixels += end - start;
        for (let at = row * width + start, stop = row * width + end; at < stop; at += 1) {
          const before = indices[at]!;
          if (before === number) continue;
          if (before !== 0) covered[before]! += 1;
          painted[number]! += 1;
          indices[at] = number;
        }
      });
      inImage.set(part, pixels);
    }
    return {
      width,
      height,
      indices,
      instances: instances.map(({ members, leader }, index) => {
        const hidden = covered[index + 1]!;
        const area = painted[index + 1]! - hidden;
        for (const part of members) notePart(part, inImage.get(part) ?? 0, area > 0);
        if (hidden > 0) lose(leader.shape, area > 0 ? partlyCovered : whollyCovered);
        return { leader: leader.shape, shapes: members.map(({ shape }) => shape), area };
      }),
    };
  };
}

/** Bounds of the visible pixels of each instance: left, top, right, bottom (inclusive). */
export function visibleBoxes({ width, indices, instances }: PaintedFrame): readonly number[][] {
  const boxes = instances.map(() => [Infinity, Infinity, -Infinity, -Infinity]);
  for (let index = 0; index < indices.length; index += 1) {
    const box = boxes[(indices[index] ?? 0) - 1];
    if (!box) continue;
    const x = index % width;
    const y = (index - x) / width;
    const [left = 0, top = 0, right = 0, bottom = 0] = box;
    if (x < left) box[0] = x;
    if (y < top) box[1] = y;
    if (x > right) box[2] = x;
    if (y > bottom) box[3] = y;
  }
  return boxes;
}
