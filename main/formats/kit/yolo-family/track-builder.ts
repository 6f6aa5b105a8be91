import { createAnnotationAdder } from '../add-annotation.ts';
import { immutableNames } from '../track-rebuilder.ts';
import type { FormatReport } from '../report.ts';
import type { LabeledShape, TaskData, Track, TrackedShape } from '../task-data.ts';

interface Series {
  readonly id: number;
  readonly label: string;
  readonly file: string;
  readonly at: string;
  readonly shapes: Map<number, LabeledShape>;
}

function keyframe(shape: LabeledShape, frame: number, outside: boolean): TrackedShape {
  const { type, points, occluded, z_order, rotation, attributes } = shape;
  return {
    type,
    points,
    occluded,
    z_order,
    frame,
    outside,
    keyframe: true,
    attributes,
    rotation,
  };
}

interface Stretch {
  readonly shape: LabeledShape;
  readonly gap: number | undefined;
}

function visibleThenOutside({ shape, gap }: Stretch, isOutside: boolean): TrackedShape[] {
  const shown = keyframe(shape, shape.frame, isOutside);
  return gap === undefined ? [shown] : [shown, keyframe(shape, gap, true)];
}

/** The task's next frame after `frame`, below `end`. */
function nextFrame(task_data: TaskData, frame: number, end: number): number | undefined {
  for (let next = frame + 1; next < end; next += 1) {
    if (task_data.frame_info(next)) return next;
  }
  return undefined;
}

/**
 * Joins rows with the same track id and label to tracks. Every row is a keyframe. If the object is missing on the next
 * frame of the task, it is outside from there on.
 */
export function createTrackBuilder(task_data: TaskData, report: FormatReport) {
  const series = new Map<string, Series>();

  const lastFrame = (): number => {
    let last = -1;
    for (const { frame } of task_data.frames) last = Math.max(last, frame);
    return last;
  };

  /** Each shape with the next frame on which the object is missing, if any. */
  const stretches = ({ shapes }: Series, end: number): readonly Stretch[] => {
    const sorted = [...shapes.values()].sort((a, b) => a.frame - b.frame);
    return sorted.map((shape, index) => ({
      shape,
      gap: nextFrame(task_data, shape.frame, sorted[index + 1]?.frame ?? end),
    }));
  };

  /** Points of skeletons as tracks. */
  const elementTracks = (parts: readonly Stretch[]): Track[] => {
    const labels = [...new Set(parts.flatMap(({ shape }) => shape.elements?.map(({ label }) => label) ?? []))];
    return labels.map((label) => ({
      label,
      group: 0,
      source: 'file',
      attributes: [],
      shapes: parts.flatMap(({ shape, gap }) => {
        const element = shape.elements?.find((one) => one.label === label);
        return element ? visibleThenOutside({ shape: element, gap }, element.outside ?? false) : [];
      }),
    }));
  };

  return {
    /** `scope` separates equal ids of several files. */
    add(id: number, shape: LabeledShape, file: string, at: string, scope = 0): void {
      const key = `${scope} ${id} ${shape.label}`;
      const present = series.get(key);
      if (!present) {
        series.set(key, { id, label: shape.label, file, at, shapes: new Map([[shape.frame, shape]]) });
      } else if (present.shapes.has(shape.frame)) {
        report.invalid(file, at, `track ${id} has two shapes on this image`);
      } else present.shapes.set(shape.frame, shape);
    },
    finish(): void {
      if (series.size === 0) return;
      const end = lastFrame() + 1;
      for (const one of series.values()) {
        const parts = stretches(one, end);
        const immutable = immutableNames(task_data.label(one.label));
        const shapes = parts
          .flatMap((part) => visibleThenOutside(part, false))
          .map((shape) => ({ ...shape, attributes: shape.attributes.filter(({ name }) => !immutable.has(name)) }));
        const first = parts[0]?.shape;
        const attributes = first?.attributes.filter(({ name }) => immutable.has(name)) ?? [];
        const track: Track = { label: one.label, group: first?.group ?? 0, source: 'file', attributes, shapes };
        const isSkeleton = shapes[0]?.type === 'skeleton';
        createAnnotationAdder(task_data, report, one.file).track(
          isSkeleton ? { ...track, elements: elementTracks(parts) } : track,
          one.at,
        );
      }
      series.clear();
    },
  };
}
