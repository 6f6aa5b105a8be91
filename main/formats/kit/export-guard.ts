import { fitToFrame, pairsLieInside } from '../../../preload/geometry/frame-fit.ts';
import { createUnitReader } from './fixed-units.ts';
import { frameRules } from './frame-guard.ts';
import type { FormatReport } from './report.ts';
import type { DrawnTrack, Frame, FrameInfo, ImageSize, LabeledShape, TaskData, Track } from './task-data.ts';
import { withOverrides } from './with-overrides.ts';

const isSized = ({ width, height }: ImageSize): boolean => width > 0 && height > 0;

type Place = 'inside' | 'beyond' | LabeledShape | null;

/** Finds the position of a shape relative to the frame, and the part inside the frame (null if there is none). */
function createPlaceFinder() {
  const unitsOf = createUnitReader();
  return (shape: LabeledShape, frame: ImageSize): Place => {
    const { type, rotation = 0 } = shape;
    if (type === 'polygon' || type === 'polyline' || (type === 'rectangle' && rotation % 360 === 0)) {
      const read = unitsOf(shape);
      const size = read && { width: frame.width * read.power, height: frame.height * read.power };
      if (read && size && pairsLieInside(read.units, read.count, size)) return 'inside';
    }
    const { fit, points, elements } = fitToFrame<LabeledShape>(shape, frame);
    if (fit === 'inside' || fit === 'ordered') return 'inside';
    if (fit === 'reaches') return 'beyond';
    if (fit === 'outside') return null;
    const { fixed_points: _fixed, area: _area, ...own } = shape;
    return { ...own, points, elements };
  };
}

/** Counts objects outside for one message of the report. */
function createCounter() {
  let count = 0;
  let first = '';
  return {
    add(frame: string): void {
      count += 1;
      if (first === '') first = frame;
    },
    get count() {
      return count;
    },
    text: () =>
      count === 1
        ? `1 object extends beyond its image, ${first}: it was written unchanged.`
        : `${count} objects extend beyond their images, the first on ${first}: they were written unchanged.`,
  };
}

/**
 * Wraps the task for an exporter and reports objects outside their image. If readers of the format reject such
 * coordinates, objects are cut; otherwise they are unchanged and `finish` reports their number.
 */
export function withOutsideReported(task_data: TaskData, report: FormatReport, cuts: boolean) {
  const placeOf = createPlaceFinder();
  const counts = { frames: createCounter(), shapes: createCounter(), tracks: createCounter() };
  /** Formats can iterate a task several times, but each frame is reported once. */
  const told = new Set<string>();

  function tell(shape: LabeledShape, place: Place, frame: FrameInfo): void {
    if (!cuts || place === 'beyond') counts.frames.add(frame.name);
    else report.dropped(shape.type, shape.label, frameRules[place === null ? 'outside' : cutOf(shape)]);
  }

  function guarded(frame: Frame): Frame {
    if (!isSized(frame)) return frame;
    const places = frame.labeled_shapes.map((shape) => placeOf(shape, frame));
    if (places.every((place) => place === 'inside')) return frame;
    const key = `${frame.task_id}:${frame.frame}`;
    const isNew = !told.has(key);
    told.add(key);
    const labeled_shapes = frame.labeled_shapes.flatMap((shape, index) => {
      // Both lists have the same length.
      const place = places[index] as Place;
      if (isNew && place !== 'inside' && !isHidden(shape)) tell(shape, place, frame);
      if (!cuts || place === 'inside' || place === 'beyond') return [shape];
      return place === null ? [] : [place];
    });
    return { ...frame, labeled_shapes };
  }

  let sizes: Map<string, FrameInfo> | undefined;
  const infoOf = (frame: number, taskId: number | undefined): FrameInfo | undefined => {
    if (taskId === undefined) return task_data.frame_info(frame);
    sizes ??= new Map(Array.from(task_data.frames, (info) => [`${info.task_id}:${info.frame}`, info]));
    return sizes.get(`${taskId}:${frame}`);
  };
  const passes = { shapes: 0, tracks: 0 };

  function* shapes(): Generator<LabeledShape> {
    passes.shapes += 1;
    const isFirst = passes.shapes === 1;
    for (const shape of task_data.shapes) {
      if (isFirst) {
        const info = infoOf(shape.frame, shape.task_id);
        if (info && isSized(info) && placeOf(shape, info) !== 'inside') counts.shapes.add(info.name);
      }
      yield shape;
    }
  }

  function countTrack({ label, task_id: taskId, shapes: keyframes }: Track): void {
    for (const { frame, outside, ...shape } of keyframes) {
      const info = outside || shape.type === 'skeleton' ? undefined : infoOf(frame, taskId);
      const drawn: LabeledShape = { ...shape, frame, label, group: 0 };
      if (info && isSized(info) && placeOf(drawn, info) !== 'inside') counts.tracks.add(info.name);
    }
  }

  function* counted<Item>(items: Iterable<Item>, trackOf: (item: Item) => Track): Generator<Item> {
    passes.tracks += 1;
    const isFirst = passes.tracks === 1;
    for (const item of items) {
      if (isFirst) countTrack(trackOf(item));
      yield item;
    }
  }

  const view = withOverrides(task_data, {
    *group_by_frame(includeEmpty) {
      for (const frame of task_data.group_by_frame(includeEmpty)) yield guarded(frame);
    },
    get shapes() {
      return shapes();
    },
    get tracks() {
      return counted(task_data.tracks, (track) => track);
    },
    get drawn_tracks() {
      return counted<DrawnTrack>(task_data.drawn_tracks, ({ track }) => track);
    },
  });
  return {
    task_data: view,
    /** Exporters that iterate frames have also seen all shapes and tracks. */
    finish(): void {
      const { frames, shapes: plain, tracks } = counts;
      if (frames.count > 0) report.warn(frames.text());
      else if (told.size === 0) for (const one of [plain, tracks]) if (one.count > 0) report.warn(one.text());
    },
  };
}

const cutOf = ({ type }: LabeledShape): 'hidden' | 'cut' => (type === 'skeleton' ? 'hidden' : 'cut');

/** True for the shape of a track that is not visible on the frame. */
const isHidden = ({ track_id: track, outside }: LabeledShape): boolean => track !== undefined && outside === true;
