import { createAnnotationChecks } from './annotation-checks.ts';
import { drawTrack, labeledShapes } from './flatten-track.ts';
import { createFrameMatcher } from './frame-matcher.ts';
import { createFormatReport, type FormatReport } from './report.ts';
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
} from './task-data.ts';

export interface InMemoryTaskDataOptions {
  readonly meta?: Partial<TaskMeta>;
  /** Name, size and subset of each frame. Defaults: consecutive numbers, subset `default`, and size 0 for unknown. */
  readonly frames: readonly (Partial<FrameInfo> & { readonly name: string })[];
  readonly labels: readonly (Partial<LabelInfo> & { readonly name: string })[];
  readonly images?: ReadonlyMap<number, FrameImage>;
  readonly shapes?: readonly LabeledShape[];
  readonly tracks?: readonly Track[];
  readonly tags?: readonly Tag[];
  /** The importer's report, for dropped attributes. */
  readonly report?: FormatReport;
  /** True if objects may be outside their frames. */
  readonly takesOutside?: boolean;
}

/** A task in memory, for conversions without a store and for tests. */
export interface InMemoryTaskData extends TaskData {
  readonly shapes: readonly LabeledShape[];
  readonly tracks: readonly Track[];
  readonly tags: readonly Tag[];
  readonly frames: readonly FrameInfo[];
}

export function completeLabel(label: Partial<LabelInfo> & { readonly name: string }): LabelInfo {
  return { color: '#000000', type: 'any', attributes: [], sublabels: [], ...label };
}

function completeMeta(meta: Partial<TaskMeta>, frames: readonly FrameInfo[], labels: readonly LabelInfo[]): TaskMeta {
  const last = Math.max(0, frames.length - 1);
  return {
    kind: 'task',
    id: 1,
    name: 'task',
    mode: 'annotation',
    size: frames.length,
    overlap: 0,
    bug_tracker: '',
    created_date: '2000-01-01T00:00:00.000Z',
    updated_date: '2000-01-01T00:00:00.000Z',
    subset: frames[0]?.subset ?? 'default',
    start_frame: 0,
    stop_frame: last,
    frame_step: 1,
    frame_filter: '',
    segments: [{ id: 1, start: 0, stop: last, url: '' }],
    owner: null,
    assignee: null,
    labels,
    source: '',
    tasks: [],
    dumped: '2000-01-01T00:00:00.000Z',
    ...meta,
  };
}

function groupByFrame<Item extends { readonly frame: number }>(
  items: Iterable<Item>,
  into = new Map<number, Item[]>(),
): Map<number, Item[]> {
  for (const item of items) {
    const list = into.get(item.frame);
    if (list) list.push(item);
    else into.set(item.frame, [item]);
  }
  return into;
}

export function createInMemoryTaskData(options: InMemoryTaskDataOptions): InMemoryTaskData {
  const frames: FrameInfo[] = options.frames.map((frame, index) => ({
    frame: index,
    width: 0,
    height: 0,
    subset: options.meta?.subset ?? 'default',
    task_id: options.meta?.id ?? 1,
    ...frame,
  }));
  const labels = options.labels.map(completeLabel);
  const meta = completeMeta(options.meta ?? {}, frames, labels);
  const byNumber = new Map(frames.map((frame) => [frame.frame, frame]));
  const byName = new Map(labels.map((label) => [label.name, label]));
  const shapes = [...(options.shapes ?? [])];
  const tracks = [...(options.tracks ?? [])];
  const tags = [...(options.tags ?? [])];
  const checks = createAnnotationChecks({
    labels,
    hasFrame: (frame) => byNumber.has(frame),
    sizeOf: options.takesOutside === true ? undefined : (frame) => byNumber.get(frame),
    report: options.report ?? createFormatReport(),
  });

  /** Missing frames in between count as deleted. */
  function drawnTracks(): DrawnTrack[] {
    const [first = 0, last = -1] = [frames[0]?.frame, frames.at(-1)?.frame];
    const deleted = new Set<number>();
    for (let frame = first; frame <= last; frame += 1) if (!byNumber.has(frame)) deleted.add(frame);
    return tracks.flatMap((track) => drawTrack(track, { first, last, deleted }) ?? []);
  }

  function* grouped(includeEmpty: boolean): Generator<Frame> {
    const shapesByFrame = groupByFrame(shapes);
    for (const [trackId, track] of drawnTracks().entries()) groupByFrame(labeledShapes(track, trackId), shapesByFrame);
    const tagsByFrame = groupByFrame(tags);
    for (const frame of frames) {
      const labeled = shapesByFrame.get(frame.frame) ?? [];
      const frameTags = tagsByFrame.get(frame.frame) ?? [];
      if (!includeEmpty && labeled.length === 0 && frameTags.length === 0) continue;
      yield { ...frame, labeled_shapes: labeled.toSorted((a, b) => a.z_order - b.z_order), tags: frameTags };
    }
  }

  return {
    meta,
    shapes,
    tracks,
    get drawn_tracks() {
      return drawnTracks();
    },
    tags,
    frames,
    frame_count: frames.length,
    group_by_frame: (include_empty = true) => grouped(include_empty),
    frame_image: async ({ frame }) => options.images?.get(frame) ?? null,
    ...createFrameMatcher({
      frames: () => frames,
      isVideo: meta.mode === 'interpolation',
      startFrame: meta.start_frame,
      frameStep: meta.frame_step,
    }),
    frame_info: (frame) => byNumber.get(frame),
    label: (name) => byName.get(name),
    add_tag: (tag) => void tags.push(checks.tag(tag)),
    add_shape: (shape) => {
      // Copied, because the importer may reuse the shape.
      const checked = checks.shape(shape);
      const { fixed_points: _lent, ...own } = checked;
      shapes.push({ ...own, points: checked.points });
    },
    add_track: (track) => void tracks.push(checks.track(track)),
  };
}
