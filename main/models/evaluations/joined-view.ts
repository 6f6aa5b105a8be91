import type { DrawnTrack, Frame, FrameInfo, LabeledShape, Tag, TaskData } from '../../formats/kit/task-data.ts';

/** What is measured of a view. */
export interface MeasuredView {
  readonly frames: Iterable<FrameInfo>;
  readonly shapes: Iterable<Pick<LabeledShape, 'frame'>>;
  readonly tags: Iterable<Pick<Tag, 'frame' | 'label'>>;
  readonly drawn_tracks: Iterable<DrawnTrack>;
  group_by_frame(include_empty?: boolean): Iterable<Pick<Frame, 'frame' | 'labeled_shapes'>>;
}

interface JoinedPart {
  readonly view: TaskData;
  /** Of the task, whichever of its frames the view has. */
  readonly frameCount: number;
}

/**
 * Tasks one after another as one long sequence: the frames of each go on where those of the task before ended, so that
 * nothing of one task is ever compared with anything of another.
 */
export function joinViews(parts: readonly JoinedPart[]): MeasuredView {
  const [only, ...more] = parts;
  if (only && more.length === 0) return only.view;
  let next = 0;
  const placed = parts.map(({ view, frameCount }) => {
    const start = next;
    next += frameCount;
    return { view, start };
  });
  function* moved<Item extends { readonly frame: number }>(read: (view: TaskData) => Iterable<Item>): Generator<Item> {
    for (const { view, start } of placed) {
      for (const item of read(view)) yield { ...item, frame: item.frame + start };
    }
  }
  /** Points of shapes are decoded when they are asked for: they are not copied. */
  function* places(): Generator<{ readonly frame: number }> {
    for (const { view, start } of placed) for (const { frame } of view.shapes) yield { frame: frame + start };
  }
  function* tracks(): Generator<DrawnTrack> {
    for (const { view, start } of placed) {
      for (const { track, frames } of view.drawn_tracks) {
        yield {
          track,
          *frames() {
            for (const drawn of frames()) yield { ...drawn, frame: drawn.frame + start };
          },
        };
      }
    }
  }
  return {
    get frames() {
      return moved((view) => view.frames);
    },
    get shapes() {
      return places();
    },
    get tags() {
      return moved((view) => view.tags);
    },
    get drawn_tracks() {
      return tracks();
    },
    group_by_frame: (include_empty = true) => moved((view) => view.group_by_frame(include_empty)),
  };
}
