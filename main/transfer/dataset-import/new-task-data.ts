import type { Label } from '../../../preload/contract/schema/labels.ts';
import { createAnnotationChecks } from '../../formats/kit/annotation-checks.ts';
import type { FormatReport } from '../../formats/kit/report.ts';
import type { FrameInfo, FrameMatch, TaskData, TaskMeta } from '../../formats/kit/task-data.ts';
import { AppError } from '../../platform/errors.ts';
import { labelInfo } from '../datasets/shape-names.ts';
import type { ImportSink } from '../datasets/stored-task-data.ts';
import { matchKey } from './dataset-survey.ts';

/** A frame of one of the tasks that are made: counted over all of them, one task after another. */
export type NewFrame = FrameInfo;

export interface NewTaskDataOptions {
  readonly frames: readonly NewFrame[];
  readonly labels: readonly Label[];
  /** Number of the frame by the name that the annotations use; see `dataset-survey.ts`. */
  readonly matches: ReadonlyMap<string, number>;
  readonly report: FormatReport;
  readonly sink: ImportSink;
}

const videoFrame = /(?:^|\/)frame_(\d+)\.\w+$/;

/**
 * Source numbers of the frames of a dataset that was a video: its images are called `frame_000120.PNG` and its tracks
 * count as they do.
 */
function numbering(frames: readonly NewFrame[]): { start: number; step: number } {
  const numbers = frames.slice(0, 2).map(({ name }) => Number(videoFrame.exec(name)?.[1] ?? Number.NaN));
  const [first = 0, second = first + 1] = numbers;
  const step = second - first;
  const isUniform =
    step > 0 && frames.every(({ name }, index) => Number(videoFrame.exec(name)?.[1]) === first + index * step);
  return isUniform ? { start: first, step } : { start: 0, step: 1 };
}

/** The tasks that a dataset becomes, as its importer sees them: they take objects, and hold none. */
export function createNewTaskData({ frames, labels, matches, report, sink }: NewTaskDataOptions): TaskData {
  const infos = labels.map(labelInfo);
  const byName = new Map(infos.map((label) => [label.name, label]));
  const checks = createAnnotationChecks({ labels: infos, hasFrame: (frame) => frames[frame] !== undefined, report });
  const { start, step } = numbering(frames);
  const meta: TaskMeta = {
    kind: 'project',
    id: 0,
    name: '',
    mode: 'annotation',
    size: frames.length,
    overlap: 0,
    bug_tracker: '',
    created_date: '',
    updated_date: '',
    subset: 'default',
    start_frame: start,
    stop_frame: start + Math.max(0, frames.length - 1) * step,
    frame_step: step,
    frame_filter: '',
    segments: [],
    owner: null,
    assignee: null,
    labels: infos,
    source: '',
    tasks: [],
    dumped: '',
  };
  return {
    meta,
    shapes: [],
    tracks: [],
    drawn_tracks: [],
    tags: [],
    frames,
    frame_count: frames.length,
    group_by_frame: () => [],
    frame_image: async () => {
      throw new AppError('internal', 'An import does not read images.');
    },
    match_frame: (item: FrameMatch) => matches.get(matchKey(item)) ?? null,
    frame_info: (frame) => frames[frame],
    label: (name) => byName.get(name),
    add_tag: (tag) => sink.addTag(checks.tag(tag)),
    add_shape: (shape) => sink.addShape(checks.shape(shape)),
    add_track: (track) => sink.addTrack(checks.track(track)),
  };
}
