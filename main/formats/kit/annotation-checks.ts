import { longestName, takesNumbers } from '../../../preload/contract/annotation-names.ts';
import { attributeTakes, labelTakes, lacksPoints, misfit } from '../../../preload/contract/label-fit.ts';
import { maskProblem } from '../../../preload/geometry/mask-runs.ts';
import type { ShapeType } from '../../../preload/contract/schema/annotations.ts';
import type { Attribute as SpecAttribute } from '../../../preload/contract/schema/labels.ts';
import { AppError } from '../../platform/errors.ts';
import { createFrameGuard, ShapeError } from './frame-guard.ts';
import { truthOf } from './read-attributes.ts';
import type { FormatReport } from './report.ts';
import type { Attribute, ImageSize, LabeledShape, LabelInfo, Tag, Track, TrackedShape } from './task-data.ts';

function labelProblem(name: string): string {
  if (name === '') return 'The object has no label: its name is empty.';
  if (name.length <= longestName) return `Label "${name}" is not registered for this task.`;
  const shown = `${name.slice(0, longestName)}…`;
  return `Label "${shown}" has ${name.length} characters, and a label has at most ${longestName}. Map it to a shorter name.`;
}

/** Thrown if the task does not have the label of an object. */
export class LabelError extends AppError {
  readonly label: string;

  constructor(label: string) {
    super('invalid', labelProblem(label));
    this.name = 'LabelError';
    this.label = label;
  }
}

function requireCount(type: ShapeType, count: number): void {
  if (!takesNumbers(type, count)) throw new ShapeError(`a ${type} cannot have ${count} numbers`);
}

/**
 * Checks that points are finite and of the right number for their type, and that the runs of a mask fill its box.
 * Throws `ShapeError`.
 */
function checkPoints(type: ShapeType, points: readonly number[]): void {
  requireCount(type, points.length);
  let sum = 0;
  // A finite number minus itself is zero; infinity or NaN gives NaN, and the sum stays NaN.
  for (let index = 0; index < points.length; index += 1) {
    const value = points[index] ?? 0;
    sum += value - value;
  }
  if (sum !== 0) throw new ShapeError('a coordinate is not a finite number');
  const problem = type === 'mask' ? maskProblem(points) : null;
  if (problem !== null) throw new ShapeError(problem);
}

/** A box drawn from right to left, or upwards, is the same box. */
function withSidesInOrder<Shape extends Pick<LabeledShape, 'type' | 'points'>>(shape: Shape): Shape {
  if (shape.type !== 'rectangle' || shape.points.length !== 4) return shape;
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = shape.points;
  if (!(x1 > x2 || y1 > y2)) return shape;
  return { ...shape, points: [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)] };
}

type Extent = Pick<LabeledShape, 'points' | 'fixed_points'>;

/** True if a box is a line or a point, or all points of an outline are equal: usually a slip of the mouse. */
function hasNoExtent(type: ShapeType, points: readonly number[]): boolean {
  const [x = 0, y = 0, right = 0, bottom = 0] = points;
  if (type === 'rectangle' || type === 'ellipse') return x === right || y === bottom;
  if (type !== 'polygon' && type !== 'polyline') return false;
  return points.every((value, index) => value === (index % 2 === 0 ? x : y));
}

export interface AnnotationChecksOptions {
  readonly labels: readonly LabelInfo[];
  readonly hasFrame: (frame: number) => boolean;
  /** Without it, objects are not checked against the image: predictions must not be cut before they are scored. */
  readonly sizeOf?: ((frame: number) => ImageSize | undefined) | undefined;
  readonly report: FormatReport;
}

type AttributeInfo = LabelInfo['attributes'][number];

/** The value in the spelling of the attribute; undefined if the attribute does not allow it. */
function usableValue(attribute: AttributeInfo, value: string): string | undefined {
  const { input_type: type, values, default_value: usual } = attribute;
  if (type === 'text' || value === usual) return value;
  if (type === 'checkbox') {
    const truth = truthOf(value);
    return truth === undefined ? undefined : String(truth);
  }
  const isNumber = type === 'number';
  // A number attribute without limits accepts every number.
  if (isNumber && values.length === 0) return value.trim() !== '' && Number.isFinite(Number(value)) ? value : undefined;
  const spelled = isNumber && value.trim() !== '' ? [value, String(Number(value))] : [value, value.trim()];
  // Labels of a task have only known types.
  return spelled.find((one) =>
    attributeTakes({ input_type: type as SpecAttribute['input_type'], values: [...values] }, one),
  );
}

/** Limit for reported values of an attribute: a file can have any number of them. */
const maxRefusedValues = 10;
const maxValueLength = 60;

type LabelTable = ReadonlyMap<string, LabelEntry>;
interface LabelEntry {
  readonly name: string;
  readonly type: string;
  readonly attributes: ReadonlyMap<string, AttributeInfo>;
  readonly sublabels: LabelTable;
}

function tableOf(labels: readonly LabelInfo[]): LabelTable {
  return new Map(
    labels.map((label) => [
      label.name,
      {
        name: label.name,
        type: label.type,
        attributes: new Map(label.attributes.map((attribute) => [attribute.name, attribute])),
        sublabels: tableOf(label.sublabels),
      },
    ]),
  );
}

/**
 * Checks and completes the objects that an importer adds. Each check throws `LabelError` or `ShapeError` if the object
 * must be dropped.
 */
export function createAnnotationChecks({ labels, hasFrame, sizeOf, report }: AnnotationChecksOptions) {
  const table = tableOf(labels);
  const refusedValues = new Map<AttributeInfo, Set<string>>();

  const refusedValue = (attribute: AttributeInfo, value: string): string => {
    const named = refusedValues.get(attribute) ?? new Set<string>();
    refusedValues.set(attribute, named);
    if (named.size < maxRefusedValues) named.add(value);
    const shown = named.has(value) ? `"${value.slice(0, maxValueLength)}"` : 'other values of the file';
    return `The attribute "${attribute.name}" (${attribute.input_type}) cannot be ${shown}.`;
  };
  const guard = sizeOf ? createFrameGuard(report, sizeOf) : undefined;

  const labelOf = (name: string, from: LabelTable): LabelEntry => {
    const entry = from.get(name);
    if (!entry) throw new LabelError(name);
    return entry;
  };

  /** The annotation workspace can only draw such an object with another label, so the user gets a warning. */
  const warnOfType = ({ name, type: labelType }: LabelEntry, type: string): void =>
    report.warn(
      `Some objects of the type ${type} have the label "${name}", which is for ${labelType}. They were imported.`,
    );

  const checkFit = (label: LabelEntry, type: ShapeType | 'tag'): void => {
    if (lacksPoints(label.type, type)) throw new ShapeError(misfit(label, type));
    if (!labelTakes(label.type, type)) warnOfType(label, type);
  };

  const checkFrame = (frame: number): void => {
    if (!hasFrame(frame)) throw new ShapeError(`frame ${frame} is not in the task`);
  };

  /** The attributes that the label has; others are dropped and reported. Returns the same list if nothing changed. */
  const checkAttributes = (
    attributes: readonly Attribute[],
    label: string,
    entry: LabelEntry,
  ): readonly Attribute[] => {
    if (attributes.length === 0) return attributes;
    let changed = false;
    const kept: Attribute[] = [];
    for (const attribute of attributes) {
      const known = entry.attributes.get(attribute.name);
      if (!known) {
        changed = true;
        report.dropped('attribute', label, `The label has no attribute "${attribute.name}".`);
        continue;
      }
      const value = usableValue(known, attribute.value);
      if (value === undefined) {
        changed = true;
        report.dropped('attribute', label, refusedValue(known, attribute.value));
        continue;
      }
      changed ||= value !== attribute.value;
      kept.push(value === attribute.value ? attribute : { name: attribute.name, value });
    }
    return changed ? kept : attributes;
  };

  const noteExtent = (type: ShapeType, shape: Extent, label: string): void => {
    // `points` is a getter that decodes, so it is read only if there is no faster check.
    const isNothing = shape.fixed_points?.isOnePoint?.() ?? hasNoExtent(type, shape.points);
    if (isNothing) report.dropped(type, label, 'It has no extent: it was imported unchanged.');
  };

  const checkShape = (stated: LabeledShape, from: LabelTable): LabeledShape => {
    const shape = withSidesInOrder(stated);
    const entry = labelOf(shape.label, from);
    checkFrame(shape.frame);
    checkFit(entry, shape.type);
    if (shape.fixed_points?.count === undefined) checkPoints(shape.type, shape.points);
    else requireCount(shape.type, shape.fixed_points.count);
    noteExtent(shape.type, shape, shape.label);
    const attributes = checkAttributes(shape.attributes, shape.label, entry);
    const elements = shape.elements?.map((element) => checkShape(element, entry.sublabels));
    if (shape.type === 'skeleton' && !elements?.length) throw new ShapeError('a skeleton has no elements');
    if (attributes === shape.attributes && !elements?.length) return shape;
    // A spread copy loses getters, so `points` is copied explicitly.
    return { ...shape, points: shape.points, attributes, elements };
  };

  const checkTracked = (stated: TrackedShape, label: string, entry: LabelEntry): TrackedShape => {
    const shape = withSidesInOrder(stated);
    checkFrame(shape.frame);
    checkFit(entry, shape.type);
    checkPoints(shape.type, shape.points);
    const attributes = checkAttributes(shape.attributes, label, entry);
    return attributes === shape.attributes ? shape : { ...shape, attributes };
  };

  const checkTrack = (track: Track, from: LabelTable): Track => {
    const entry = labelOf(track.label, from);
    if (track.shapes.length === 0) throw new ShapeError('a track has no shapes');
    return {
      ...track,
      shapes: track.shapes.map((shape) => checkTracked(shape, track.label, entry)),
      attributes: track.attributes ? checkAttributes(track.attributes, track.label, entry) : undefined,
      elements: track.elements?.map((element) => checkTrack(element, entry.sublabels)),
    };
  };

  return {
    tag(tag: Tag): Tag {
      const entry = labelOf(tag.label, table);
      checkFrame(tag.frame);
      checkFit(entry, 'tag');
      const attributes = checkAttributes(tag.attributes, tag.label, entry);
      return attributes === tag.attributes ? tag : { ...tag, attributes };
    },
    shape(shape: LabeledShape): LabeledShape {
      const checked = checkShape(shape, table);
      return guard ? guard.shape(checked) : checked;
    },
    track(track: Track): Track {
      const checked = checkTrack(track, table);
      return guard ? guard.track(checked) : checked;
    },
  };
}
