import { LeftOutError } from '../kit/label-mapping.ts';
import type { FrameInfo, TaskData, Track } from '../kit/task-data.ts';
import { withOverrides } from '../kit/with-overrides.ts';

/** First frame number for images of other subsets: above the frames of all tasks, and within 32 bits. */
export const firstUnwantedFrame = 2 ** 30;

export const isUnwanted = (frame: number): boolean => frame >= firstUnwantedFrame;

/** Frame information for the number of an image of another subset. Importers read its size. */
export function unwantedFrameInfo(task_data: TaskData, frame: number): FrameInfo | undefined {
  const [first] = task_data.frames;
  const info = task_data.frame_info(frame - firstUnwantedFrame) ?? first;
  return info && { ...info, frame };
}

const wantedPart = (track: Track): Track => ({
  ...track,
  shapes: track.shapes.filter(({ frame }) => !isUnwanted(frame)),
  elements: track.elements?.map(wantedPart),
});

/**
 * Wraps the task so that only objects of one subset are added.
 * @param plain The task without other choices, so that images of other subsets cannot occupy frames.
 */
export function withSubset(task_data: TaskData, plain: TaskData, subset: string): TaskData {
  const leftOut = () => new LeftOutError(`Left out: only the subset "${subset}" is imported.`);
  const requireWanted = (frame: number): void => {
    if (isUnwanted(frame)) throw leftOut();
  };
  return withOverrides(task_data, {
    match_frame(item) {
      if (item.subset === undefined || item.subset === subset) return task_data.match_frame(item);
      return firstUnwantedFrame + (plain.match_frame(item) ?? 0);
    },
    frame_info: (frame) => (isUnwanted(frame) ? unwantedFrameInfo(task_data, frame) : task_data.frame_info(frame)),
    add_tag(tag) {
      requireWanted(tag.frame);
      task_data.add_tag(tag);
    },
    add_shape(shape) {
      requireWanted(shape.frame);
      task_data.add_shape(shape);
    },
    add_track(track) {
      const wanted = wantedPart(track);
      if (wanted.shapes.length === 0 && track.shapes.length > 0) throw leftOut();
      task_data.add_track(wanted);
    },
  });
}
