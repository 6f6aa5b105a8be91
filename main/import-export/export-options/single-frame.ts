import { withOverrides } from '../../formats/kit/with-overrides.ts';
import type { DrawnTrack, Frame, LabeledShape, TaskData, TrackedShape } from '../../formats/kit/task-data.ts';

/** Copies the shapes of a frame, because the iterator reuses their points. */
export const ownFrame = (frame: Frame): Frame => ({ ...frame, labeled_shapes: frame.labeled_shapes.map(ownShape) });

/** Wraps the task so that it has only this frame. Tracks become their shapes on it. */
export function oneFrame(task_data: TaskData, frame: Frame): TaskData {
  const { labeled_shapes, tags, ...info } = frame;
  const owner = task_data.meta.kind === 'project' ? { task_id: info.task_id } : {};
  const all = labeled_shapes.map((shape) => ({ ...shape, ...owner }));
  const drawn = all.filter(isOfTrack).map((shape) => drawnTrack(shape, owner));
  return withOverrides(task_data, {
    shapes: all.filter((shape) => !isOfTrack(shape)),
    tags: tags.map((tag) => ({ ...tag, ...owner })),
    drawn_tracks: drawn,
    tracks: drawn.map(({ track }) => track),
    frames: [info],
    frame_count: 1,
    group_by_frame: () => [{ ...frame, labeled_shapes: all }],
  });
}

const isOfTrack = ({ track_id: id }: LabeledShape): boolean => id !== undefined;

function ownShape(shape: LabeledShape): LabeledShape {
  const { fixed_points: _fixed, ...own } = shape;
  return {
    ...own,
    points: [...shape.points],
    elements: shape.elements?.map(ownShape),
  };
}

function keyframeOf(shape: LabeledShape): TrackedShape {
  const { type, points, occluded, frame, attributes, outside = false, z_order, rotation = 0 } = shape;
  return { type, points, occluded, frame, attributes, outside, keyframe: true, z_order, rotation };
}

function drawnTrack(shape: LabeledShape, owner: { readonly task_id?: number }): DrawnTrack {
  const { label, group, source, elements = [] } = shape;
  const common = { group, source };
  const parts = elements.map((element) => ({ label: element.label, ...common, shapes: [keyframeOf(element)] }));
  return {
    track: {
      label,
      ...common,
      shapes: [keyframeOf(shape)],
      elements: parts.length > 0 ? parts : undefined,
      ...owner,
    },
    *frames() {
      yield {
        ...keyframeOf(shape),
        elements: elements.map((element) => ({ ...keyframeOf(element), label: element.label })),
      };
    },
  };
}
