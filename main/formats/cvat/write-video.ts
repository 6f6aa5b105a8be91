import type { XmlWriter } from '../io/xml-writer.ts';
import type { ExportOptions } from '../kit/plugin.ts';
import type { DrawnTrack, FrameInfo, LabeledShape, TaskData, TaskMeta, Track, TrackFrame } from '../kit/task-data.ts';
import { sourceFrame } from '../kit/find-frame.ts';
import { elementOfShapeType, geometryProblem, writeGeometry } from './geometry.ts';
import { createLossRecorder, type LossRecorder } from './losses.ts';
import { flag, taskOf, writeAttributes } from './write-images.ts';

interface FrameRange {
  readonly first: FrameInfo;
  readonly last: number;
  readonly deleted: ReadonlySet<number>;
}

/** Frames of each task by task id. Numbers missing between first and last are deleted frames. */
function frameRanges(frames: Iterable<FrameInfo>): ReadonlyMap<number, FrameRange> {
  const ranges = new Map<number, { first: FrameInfo; last: number; deleted: Set<number> }>();
  for (const frame of frames) {
    const range = ranges.get(frame.task_id);
    if (!range) {
      ranges.set(frame.task_id, { first: frame, last: frame.frame, deleted: new Set() });
      continue;
    }
    for (let missing = range.last + 1; missing < frame.frame; missing += 1) range.deleted.add(missing);
    range.last = frame.frame;
  }
  return ranges;
}

interface VideoWriter {
  readonly xml: XmlWriter;
  readonly meta: TaskMeta;
  readonly options: ExportOptions;
  readonly ranges: ReadonlyMap<number, FrameRange>;
  readonly losses: LossRecorder;
  nextId: number;
}

const emptyFrame: FrameInfo = { frame: 0, name: '', width: 0, height: 0, subset: '', task_id: 0 };
const noFrames: FrameRange = { first: emptyFrame, last: -1, deleted: new Set() };

function writeVideoShape(xml: XmlWriter, shape: TrackFrame, meta: TaskMeta): void {
  xml.open(elementOfShapeType[shape.type]);
  xml.attribute('frame', sourceFrame(meta, shape.frame));
  xml.attribute('keyframe', flag(shape.keyframe));
  if (shape.type !== 'skeleton') {
    xml.attribute('outside', flag(shape.outside));
    xml.attribute('occluded', flag(shape.occluded));
    writeGeometry(xml, shape.type, shape.points, shape.rotation);
  }
  xml.attribute('z_order', shape.z_order);
  for (const element of shape.elements) {
    xml.open(elementOfShapeType[element.type]);
    xml.attribute('label', element.label);
    xml.attribute('keyframe', flag(element.keyframe));
    xml.attribute('outside', flag(element.outside));
    xml.attribute('occluded', flag(element.occluded));
    writeGeometry(xml, element.type, element.points, element.rotation);
    writeAttributes(xml, element.attributes);
    xml.close();
  }
  writeAttributes(xml, shape.attributes);
  xml.close();
}

/** Frame range of the task that an object belongs to, or of the only task. */
function rangeOf({ ranges, meta }: VideoWriter, task_id: number | undefined): FrameRange {
  const [only] = ranges.values();
  return (meta.kind === 'project' ? ranges.get(task_id ?? -1) : only) ?? noFrames;
}

type TrackHead = Pick<Track, 'label' | 'group' | 'source' | 'task_id'>;

async function writeTrack(
  writer: VideoWriter,
  head: TrackHead,
  range: FrameRange,
  shapes: Iterable<TrackFrame>,
): Promise<void> {
  const { xml, meta } = writer;
  const task = taskOf(meta, head.task_id);
  xml.open('track');
  xml.attribute('id', writer.nextId);
  writer.nextId += 1;
  xml.attribute('label', head.label);
  xml.attribute('source', head.source ?? 'manual');
  if (meta.kind === 'project') {
    xml.attribute('task_id', task.id);
    xml.attribute('subset', range.first.subset);
  }
  if (head.group !== 0) xml.attribute('group_id', head.group);
  for (const shape of shapes) {
    if (shape.type === 'skeleton' && shape.elements.length === 0) continue;
    writer.losses.tracked(shape);
    shape.elements.forEach((element) => writer.losses.tracked(element));
    writeVideoShape(xml, shape, task);
    if (xml.isFull) await xml.flush();
  }
  xml.close();
  if (xml.isFull) await xml.flush();
}

function trackProblem(track: Track): string | undefined {
  if (track.shapes.length === 0) return 'it has no shapes';
  for (const { type, points } of track.shapes) {
    const problem = geometryProblem(type, points);
    if (problem !== undefined) return problem;
  }
  return track.elements
    ?.map((element) => (element.shapes.length === 0 ? undefined : trackProblem(element)))
    .find((problem) => problem !== undefined);
}

/** Writes a shape as a track: the shape, and on the next existing frame the same shape with outside set. */
function* oneFrameTrack(shape: LabeledShape, range: FrameRange): Generator<TrackFrame> {
  const elements = (shape.elements ?? []).map((element) => ({
    ...element,
    points: element.points,
    outside: element.outside ?? false,
    keyframe: true,
  }));
  const visible: TrackFrame = { ...shape, points: shape.points, outside: false, keyframe: true, elements };
  yield visible;
  let frame = shape.frame + 1;
  while (range.deleted.has(frame)) frame += 1;
  if (frame > range.last) return;
  yield {
    ...visible,
    frame,
    outside: true,
    elements: elements.map((element) => ({ ...element, frame, outside: true })),
  };
}

const becomesTrack = 'CVAT for video has tracks only: the shape became a track of one frame.';

async function writePlainShape(writer: VideoWriter, shape: LabeledShape): Promise<void> {
  const { report } = writer.options;
  const problem = geometryProblem(shape.type, shape.points);
  if (problem !== undefined) {
    report.dropped(shape.type, shape.label, `A shape was left out: ${problem}.`);
    return;
  }
  writer.losses.plain(shape);
  const range = rangeOf(writer, shape.task_id);
  await writeTrack(writer, shape, range, oneFrameTrack(shape, range));
  report.included(shape.type, shape.label);
  if (shape.type !== 'mask') report.dropped(shape.type, shape.label, becomesTrack);
}

async function writeRealTrack(writer: VideoWriter, { track, frames }: DrawnTrack): Promise<void> {
  const { report } = writer.options;
  const problem = trackProblem(track);
  if (problem !== undefined) {
    report.dropped('track', track.label, `A track was left out: ${problem}.`);
    return;
  }
  const range = rangeOf(writer, track.task_id);
  await writeTrack(writer, track, range, frames());
  report.included('track', track.label);
}

/** Writes every object as a track: tracks on their visible frames, shapes as tracks of one frame. */
export async function writeVideo(
  xml: XmlWriter,
  task_data: TaskData,
  options: ExportOptions,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const { report, signal } = options;
  const { meta, frames } = task_data;
  const ranges = frameRanges(frames);
  const writer: VideoWriter = { xml, meta, options, ranges, losses: createLossRecorder(report), nextId: 0 };
  for (const track of task_data.drawn_tracks) {
    signal.throwIfAborted();
    await writeRealTrack(writer, track);
  }
  onProgress(0.5);
  for (const shape of task_data.shapes) {
    signal.throwIfAborted();
    await writePlainShape(writer, shape);
  }
  for (const tag of task_data.tags) report.dropped('tag', tag.label, 'CVAT for video has no tags.');
  onProgress(1);
}
