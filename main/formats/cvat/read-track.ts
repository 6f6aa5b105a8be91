import type { XmlAttributes } from '../io/xml-reader.ts';
import type { AnnotationAdder } from '../kit/add-annotation.ts';
import type { FormatReport } from '../kit/report.ts';
import type { Attribute, LabelInfo, TaskData, Track, TrackedShape } from '../kit/task-data.ts';
import { taskFrame } from '../kit/find-frame.ts';
import { readFlag, readGroup, readShape, type ShapeDraft } from './read-shape.ts';

/** A track shape of the file: files hold keyframes and the frames between them. */
interface TrackShapeRow {
  /** Frame of the task, or null if the task does not have it. */
  readonly frame: number | null;
  readonly fileFrame: string;
  readonly keyframe: boolean;
  readonly shape: Omit<TrackedShape, 'frame' | 'keyframe'>;
}

interface KeyframeCollector {
  /** Adds rows in the order of the file. Returns the reason if the row is invalid, or undefined. */
  add(row: TrackShapeRow): string | undefined;
  /** Keyframes in ascending order, and the number of keyframes on frames that the task lacks. */
  finish(): { readonly shapes: TrackedShape[]; readonly missing: number; readonly firstMissing: string };
}

/**
 * Collects keyframes: files hold every visible frame of a track, the model only keyframes. Besides the rows marked as
 * keyframes, these are kept as keyframes: the first row, each change of visibility (interpolation cannot create one),
 * and the neighbors of a keyframe on a frame outside the task, so that the remaining movement is unchanged.
 */
function createKeyframeCollector(): KeyframeCollector {
  const shapes: TrackedShape[] = [];
  const frames = new Set<number>();
  let skipped: TrackedShape | undefined;
  let promoteNext = false;
  let missing = 0;
  let firstMissing = '';

  const keep = (shape: TrackedShape): void => {
    shapes.push(shape);
    frames.add(shape.frame);
    skipped = undefined;
    promoteNext = false;
  };
  const leaveOut = (row: TrackShapeRow): void => {
    if (!row.keyframe) return;
    if (missing === 0) firstMissing = row.fileFrame;
    missing += 1;
    if (skipped) keep(skipped);
    promoteNext = true;
  };

  return {
    add(row) {
      if (row.frame === null) {
        leaveOut(row);
        return undefined;
      }
      const last = shapes.at(-1);
      if (last && last.type !== row.shape.type)
        return `the track has ${last.type} shapes, but this one is a ${row.shape.type}`;
      if (frames.has(row.frame)) return row.keyframe ? `the track has two shapes on frame ${row.fileFrame}` : undefined;
      const shape: TrackedShape = { ...row.shape, frame: row.frame, keyframe: true };
      if (row.keyframe || promoteNext || last?.outside !== shape.outside) keep(shape);
      else skipped = shape;
      return undefined;
    },
    finish: () => ({ shapes: shapes.sort((a, b) => a.frame - b.frame), missing, firstMissing }),
  };
}

interface TrackReaderOptions {
  readonly file: string;
  readonly task_data: TaskData;
  readonly report: FormatReport;
  readonly add: AnnotationAdder;
  readonly attributes: XmlAttributes;
  readonly line: number;
}

/** Receives the shapes of a `track` element when they close. */
export interface TrackSeriesReader {
  shape(draft: ShapeDraft): void;
  close(): void;
}

export interface TrackReader extends TrackSeriesReader {
  readonly label: string | undefined;
  /** Opens a nested track: an element of a skeleton in an old layout that real files have. */
  openElement(attributes: XmlAttributes, line: number): TrackSeriesReader;
}

interface ElementSeries {
  readonly label: string;
  readonly group: number;
  readonly keyframes: KeyframeCollector;
}

/** Immutable attributes, from the first shape, and the shapes with their mutable ones. */
function splitAttributes(
  shapes: readonly TrackedShape[],
  label: LabelInfo | undefined,
): Pick<Track, 'shapes' | 'attributes'> {
  const immutable = new Set(label?.attributes.filter(({ mutable }) => !mutable).map(({ name }) => name));
  if (immutable.size === 0) return { shapes, attributes: [] };
  const isImmutable = ({ name }: Attribute): boolean => immutable.has(name);
  return {
    attributes: shapes[0]?.attributes.filter(isImmutable) ?? [],
    shapes: shapes.map((shape) => ({
      ...shape,
      attributes: shape.attributes.filter((attribute) => !isImmutable(attribute)),
    })),
  };
}

/** Reads one `track` element. The track is added when the element closes; masks are added as shapes. */
export function createTrackReader(options: TrackReaderOptions): TrackReader {
  const { file, task_data, report, add, attributes, line } = options;
  const keyframes = createKeyframeCollector();
  const elements = new Map<string, ElementSeries>();
  const label = attributes['label'];

  const addRow = (series: KeyframeCollector, draft: ShapeDraft, frameText: string, type: string): void => {
    const fields = readShape(draft);
    const problem =
      typeof fields === 'string'
        ? fields
        : series.add({
            frame: taskFrame(task_data, frameText),
            fileFrame: frameText,
            keyframe: readFlag(draft.attributes, 'keyframe') ?? true,
            shape: fields,
          });
    if (problem !== undefined) report.invalid(file, `line ${draft.line}`, `${type}: ${problem}`);
  };

  const elementSeries = (name: string, group: number): ElementSeries => {
    const present = elements.get(name);
    if (present) return present;
    const series = { label: name, group, keyframes: createKeyframeCollector() };
    elements.set(name, series);
    return series;
  };

  const addElements = (draft: ShapeDraft, frameText: string): void => {
    for (const element of draft.elements) {
      const name = element.attributes['label'];
      if (name === undefined)
        report.invalid(file, `line ${element.line}`, `${element.type} of a skeleton: "label" is missing`);
      else addRow(elementSeries(name, 0).keyframes, element, frameText, `${element.type} of a skeleton`);
    }
  };

  const finishSeries = (series: KeyframeCollector, what: string): TrackedShape[] => {
    const { shapes, missing, firstMissing } = series.finish();
    if (missing > 0) {
      report.invalid(
        file,
        `line ${line}`,
        `${what}: ${missing} of its keyframes are on frames that the task does not have, the first is ${firstMissing}`,
      );
    }
    return shapes;
  };

  const addMasks = (shapes: readonly TrackedShape[], name: string, group: number): void => {
    for (const { keyframe: _keyframe, outside, ...shape } of shapes) {
      if (!outside) add.shape({ ...shape, label: name, group, source: 'file' }, `line ${line}`);
    }
  };

  const buildElements = (parent: LabelInfo | undefined): Track[] =>
    [...elements.values()].flatMap((series) => {
      const shapes = finishSeries(series.keyframes, `element "${series.label}"`);
      const sublabel = parent?.sublabels.find(({ name }) => name === series.label);
      if (shapes.length === 0) return [];
      return [
        { label: series.label, group: series.group, source: 'file' as const, ...splitAttributes(shapes, sublabel) },
      ];
    });

  return {
    label,
    shape(draft) {
      const frameText = draft.attributes['frame'] ?? '';
      if (frameText === '') {
        report.invalid(file, `line ${draft.line}`, `${draft.type}: "frame" is missing`);
        return;
      }
      addRow(keyframes, draft, frameText, draft.type);
      addElements(draft, frameText);
    },
    openElement(elementAttributes, elementLine) {
      const name = elementAttributes['label'] ?? '';
      const series = elementSeries(name, readGroup(elementAttributes) || 0);
      return {
        shape: (draft) =>
          addRow(series.keyframes, draft, draft.attributes['frame'] ?? '', `${draft.type} of a skeleton`),
        close: () => {
          if (name === '') report.invalid(file, `line ${elementLine}`, 'track of an element: "label" is missing');
        },
      };
    },
    close() {
      const group = readGroup(attributes);
      const shapes = finishSeries(keyframes, 'track');
      if (label === undefined) report.invalid(file, `line ${line}`, 'track: "label" is missing');
      else if (Number.isNaN(group)) report.invalid(file, `line ${line}`, 'track: "group_id" is not a group');
      else if (shapes.length === 0) report.invalid(file, `line ${line}`, 'track: none of its shapes could be read');
      else if (shapes[0]?.type === 'mask') addMasks(shapes, label, group);
      else {
        const info = task_data.label(label);
        const track: Track = { label, group, source: 'file', ...splitAttributes(shapes, info) };
        add.track(shapes[0]?.type === 'skeleton' ? { ...track, elements: buildElements(info) } : track, `line ${line}`);
      }
    },
  };
}
