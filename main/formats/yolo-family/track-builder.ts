import { createAnnotationAdder } from '../add-annotation.ts';
import type { FormatReport } from '../report.ts';
import type { LabeledShape, TaskData, TrackedShape } from '../task-data.ts';

interface Series {
  readonly id: number;
  readonly label: string;
  readonly file: string;
  readonly at: string;
  readonly shapes: Map<number, LabeledShape>;
}

function keyframe(shape: LabeledShape, frame: number, outside: boolean): TrackedShape {
  const { type, points, occluded, z_order, rotation } = shape;
  return {
    type,
    points,
    occluded,
    z_order,
    frame,
    outside,
    keyframe: true,
    attributes: [],
    ...(rotation === undefined ? {} : { rotation }),
  };
}

/** The first frame after `frame` that the task has, below `end`. */
function nextFrame(task_data: TaskData, frame: number, end: number): number | undefined {
  for (let next = frame + 1; next < end; next += 1) {
    if (task_data.frame_info(next)) return next;
  }
  return undefined;
}

/**
 * Puts rows with the same track id and label together as tracks: every row is a keyframe, and where the object is
 * missing on the next frame of the task it is outside from there on.
 */
export function createTrackBuilder(task_data: TaskData, report: FormatReport) {
  const series = new Map<string, Series>();

  const lastFrame = (): number => {
    let last = -1;
    for (const { frame } of task_data.frames) last = Math.max(last, frame);
    return last;
  };

  const build = ({ shapes }: Series, end: number): TrackedShape[] => {
    const sorted = [...shapes.values()].sort((a, b) => a.frame - b.frame);
    return sorted.flatMap((shape, index) => {
      const gap = nextFrame(task_data, shape.frame, sorted[index + 1]?.frame ?? end);
      const visible = keyframe(shape, shape.frame, false);
      return gap === undefined ? [visible] : [visible, keyframe(shape, gap, true)];
    });
  };

  return {
    add(id: number, shape: LabeledShape, file: string, at: string): void {
      const key = `${id} ${shape.label}`;
      const present = series.get(key);
      if (!present) {
        series.set(key, { id, label: shape.label, file, at, shapes: new Map([[shape.frame, shape]]) });
      } else if (present.shapes.has(shape.frame)) {
        report.bad(file, at, `track ${id} has two shapes on this image`);
      } else present.shapes.set(shape.frame, shape);
    },
    finish(): void {
      if (series.size === 0) return;
      const end = lastFrame() + 1;
      for (const one of series.values()) {
        const shapes = build(one, end);
        createAnnotationAdder(task_data, report, one.file).track(
          { label: one.label, group: 0, source: 'file', attributes: [], shapes },
          one.at,
        );
      }
      series.clear();
    },
  };
}
