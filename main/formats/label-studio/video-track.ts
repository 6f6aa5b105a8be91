import { brief, RecordError, isFiniteNumber } from '../kit/records.ts';
import { taskFrame } from '../kit/task-frame.ts';
import type { TaskData, Track, TrackedShape } from '../kit/task-data.ts';
import { asObject, type JsonObject, labelsOf, outlineOf, sizeOf, valueOf } from './read-region.ts';

/** The rectangles of a video, frame by frame, counted from 1. Throws `RecordError` for what cannot be read. */
export function videoTrack(result: JsonObject, task_data: TaskData): Track {
  const value = valueOf(result);
  const { sequence } = value;
  const [label = ''] = labelsOf(value);
  if (!Array.isArray(sequence)) throw new RecordError('value.sequence', `must be a list, but is ${brief(sequence)}`);
  const shapes = new Map<number, TrackedShape>();
  sequence.forEach((item: unknown, index) => {
    const step = asObject(item, `value.sequence[${index}]`);
    const number = step['frame'];
    const frame = isFiniteNumber(number) ? taskFrame(task_data, String(number - 1)) : null;
    const info = frame === null ? undefined : task_data.frame_info(frame);
    if (!info) throw new RecordError(`value.sequence[${index}].frame`, `frame ${brief(number)} is not in the task`);
    const { type, points, rotation } = outlineOf('rectangle', step, sizeOf(result, info, false));
    const place = { occluded: false, attributes: [], keyframe: true, z_order: 0, ...(rotation ? { rotation } : {}) };
    shapes.set(info.frame, { type, points, ...place, frame: info.frame, outside: false });
    // From here on it is not seen, up to the next entry.
    if (step['enabled'] === false && task_data.frame_info(info.frame + 1))
      shapes.set(info.frame + 1, { type, points, ...place, frame: info.frame + 1, outside: true });
  });
  const ordered = [...shapes.values()].toSorted((a, b) => a.frame - b.frame);
  return { label, group: 0, source: 'file', attributes: [], shapes: ordered };
}
