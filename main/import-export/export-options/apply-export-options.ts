import type { DatasetExportOptions } from '../../../preload/contract/schema/export-options.ts';
import type { FormatReport } from '../../formats/kit/report.ts';
import type {
  DrawnTrack,
  Frame,
  FrameImage,
  FrameInfo,
  LabeledShape,
  LabelInfo,
  Tag,
  TaskData,
  TaskMeta,
  Track,
} from '../../formats/kit/task-data.ts';
import { withOverrides } from '../../formats/kit/with-overrides.ts';
import { type FrameKey, frameKeys, planFrames, type PlannedFrame } from './frame-plan.ts';
import { createLabelChoice } from './label-choice.ts';
import { createObjectArranger, type ObjectPlace } from './object-converter.ts';
import { oneFrame } from './single-frame.ts';

/** Copies a frame's image to another size or format. */
export type CopyPicture = (
  image: FrameImage,
  wanted: { readonly frame: FrameInfo; readonly isScaled: boolean },
) => Promise<FrameImage>;

interface ArrangeOptions {
  readonly exportOptions: DatasetExportOptions;
  /** Drops frames without remaining objects. */
  readonly onlyAnnotated: boolean;
  readonly report: FormatReport;
  readonly copyPicture: CopyPicture;
  readonly checkCancelled: () => void;
  /** True if objects are only counted. */
  readonly isCount?: boolean;
}

/** Wraps the task to apply the export options, so that formats need no support for them. */
export function applyExportOptions(plain: TaskData, options: ArrangeOptions) {
  const { exportOptions, onlyAnnotated, report, copyPicture, checkCancelled, isCount = false } = options;
  const keyOf = frameKeys(plain.meta);
  const labels = createLabelChoice(plain.meta.labels, exportOptions.labels);
  const objects = createObjectArranger({ exportOptions, labels, isCount });
  const counting = createObjectArranger({ exportOptions, labels, isCount: true });
  const countedLabels = (frame: Frame): string[] =>
    [
      ...frame.labeled_shapes.flatMap((shape) => counting.shape(shape, { size: frame, scale: undefined })),
      ...frame.tags.flatMap((tag) => counting.tag(tag) ?? []),
    ].map(({ label }) => label);
  const plan = planFrames(plain, { exportOptions, onlyAnnotated, checkCancelled, labelsOf: countedLabels });
  tellChoice(report, labels.leftOut, { written: plan.size, total: plain.frame_count });
  const arrangedOf = (data: TaskData, frames: ReadonlyMap<FrameKey, PlannedFrame>) =>
    createArrangedView(data, { plan: frames, labels: labels.labels, objects, copyPicture });
  return {
    ...arrangedOf(plain, plan),
    /** True if any object of a frame remains. Cheap enough for many frames. */
    hasObjects(frame: Frame): boolean {
      return plan.has(keyOf(frame.frame, frame.task_id)) && countedLabels(frame).length > 0;
    },
    /** True if the frame is exported. */
    isPlanned: (frame: FrameInfo): boolean => plan.has(keyOf(frame.frame, frame.task_id)),
    /** The task reduced to one frame as it would be exported; null if the frame is not. */
    ofFrame(frame: Frame) {
      const key = keyOf(frame.frame, frame.task_id);
      const planned = plan.get(key);
      if (!planned) return null;
      const { view } = arrangedOf(oneFrame(plain, frame), new Map([[key, planned]]));
      return { view, info: planned.info, leftOut: () => objects.leftOut(frame, placeOf(planned)) };
    },
  };
}

const placeOf = ({ source, scale }: PlannedFrame): ObjectPlace => ({ size: source, scale });

interface ArrangedViewOptions {
  readonly plan: ReadonlyMap<FrameKey, PlannedFrame>;
  readonly labels: readonly LabelInfo[];
  readonly objects: ReturnType<typeof createObjectArranger>;
  readonly copyPicture: CopyPicture;
}

function createArrangedView(plain: TaskData, { plan, labels, objects, copyPicture }: ArrangedViewOptions) {
  const keyOf = frameKeys(plain.meta);
  const labelsByName = new Map(labels.map((label) => [label.name, label]));
  const written = new Set([...plan.values()].map(({ source }) => source.task_id));
  const meta: TaskMeta = {
    ...plain.meta,
    labels,
    tasks: plain.meta.tasks.filter(({ id }) => written.has(id)).map((task) => ({ ...task, labels })),
  };

  const planned = (frame: number, taskId: number | undefined): PlannedFrame | undefined =>
    plan.get(keyOf(frame, taskId));
  /** Keyframes on frames that are not exported still affect the exported ones. */
  function placesOf(taskId: number | undefined): (frame: number) => ObjectPlace {
    let [last] = plan.values();
    return (frame) => {
      last = planned(frame, taskId) ?? last;
      return last ? placeOf(last) : { size: { width: 0, height: 0 }, scale: undefined };
    };
  }

  function arrangedFrame(frame: Frame): Frame | null {
    const found = planned(frame.frame, frame.task_id);
    if (!found) return null;
    const place = placeOf(found);
    return {
      ...found.info,
      labeled_shapes: frame.labeled_shapes.flatMap((shape) => objects.shape(shape, place)),
      tags: frame.tags.flatMap((tag) => objects.tag(tag) ?? []),
    };
  }
  function* grouped(includeEmpty: boolean): Generator<Frame> {
    for (const frame of plain.group_by_frame(includeEmpty)) {
      const arranged = arrangedFrame(frame);
      if (arranged && (includeEmpty || arranged.labeled_shapes.length > 0 || arranged.tags.length > 0)) yield arranged;
    }
  }
  function* writtenFrames(): Generator<FrameInfo> {
    for (const { info } of plan.values()) yield info;
  }
  function* shapes(): Generator<LabeledShape> {
    for (const shape of plain.shapes) {
      const found = planned(shape.frame, shape.task_id);
      if (found) yield* objects.shape(shape, placeOf(found));
    }
  }
  function* tags(): Generator<Tag> {
    for (const tag of plain.tags) {
      const arranged = objects.tag(tag);
      if (arranged && planned(tag.frame, tag.task_id)) yield arranged;
    }
  }
  /** Tracks of a project's task without exported frames are dropped with it. */
  const isWritten = ({ task_id: taskId }: Track): boolean => taskId === undefined || written.has(taskId);
  function* drawnTracks(): Generator<DrawnTrack> {
    for (const drawn of plain.drawn_tracks) {
      const places = placesOf(drawn.track.task_id);
      const track = isWritten(drawn.track) ? objects.track(drawn.track, places) : null;
      if (!track) continue;
      const arranged = objects.drawn(drawn, track, places);
      yield {
        track,
        *frames() {
          for (const frame of arranged.frames()) if (planned(frame.frame, track.task_id)) yield frame;
        },
      };
    }
  }
  function* tracks(): Generator<Track> {
    for (const track of plain.tracks) {
      const arranged = isWritten(track) ? objects.track(track, placesOf(track.task_id)) : null;
      if (arranged) yield arranged;
    }
  }

  const view = withOverrides(plain, {
    meta,
    get shapes() {
      return shapes();
    },
    get tracks() {
      return tracks();
    },
    get drawn_tracks() {
      return drawnTracks();
    },
    get tags() {
      return tags();
    },
    get frames() {
      return writtenFrames();
    },
    frame_count: plan.size,
    group_by_frame: (includeEmpty = true) => grouped(includeEmpty),
    async frame_image(frame) {
      const found = planned(frame.frame, frame.task_id);
      const image = found ? await plain.frame_image(found.source) : null;
      return found && image ? copyPicture(image, { frame: found.info, isScaled: found.scale !== undefined }) : image;
    },
    frame_info: (frame) => planned(frame, undefined)?.info,
    label: (name) => labelsByName.get(name),
  });
  return { view, arrangedFrame };
}

const maxNamed = 10;

/** Reports objects dropped by the user's choice, so that the export is not mistaken for a complete dataset. */
function tellChoice(
  report: FormatReport,
  labels: readonly string[],
  frames: { readonly written: number; readonly total: number },
): void {
  if (labels.length > 0) {
    const more = labels.length > maxNamed ? ` and ${labels.length - maxNamed} more` : '';
    report.warn(`Left out by choice: all objects of ${labels.slice(0, maxNamed).join(', ')}${more}.`);
  }
  if (frames.written < frames.total) {
    report.warn(`Left out by choice: ${frames.total - frames.written} of ${frames.total} frames.`);
  }
}
