import { LeftOutError } from '../kit/label-mapping.ts';
import type { FrameInfo, TaskData, Track } from '../kit/task-data.ts';
import { withOverrides } from '../kit/with-overrides.ts';

/** Frames of images that are not wanted: far above those of any task, and within 32 bits. */
export const firstUnwantedFrame = 2 ** 30;

export const isUnwanted = (frame: number): boolean => frame >= firstUnwantedFrame;

/** What an importer may want to know of the frame behind an unwanted number: its size. */
export function unwantedFrameInfo(task_data: TaskData, frame: number): FrameInfo | undefined {
  const [first] = task_data.frames;
  const info = task_data.frame_info(frame - firstUnwantedFrame) ?? first;
  return info && { ...info, frame };
}

const wantedPart = (track: Track): Track => ({
  ...track,
  shapes: track.shapes.filter(({ frame }) => !isUnwanted(frame)),
  ...(track.elements ? { elements: track.elements.map(wantedPart) } : {}),
});

/**
 * The task as an importer sees it that is to read one subset only: objects of other subsets are left out.
 * @param plain the task without other choices: images that are not wanted take no frame from those that are
 */
export function withSubset(task_data: TaskData, plain: TaskData, subset: string): TaskData {
  const leftOut = () => new LeftOutError(`Left out, as only the subset "${subset}" was asked for.`);
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
