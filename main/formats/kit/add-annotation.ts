import { LabelError } from './annotation-checks.ts';
import { ShapeError } from './frame-guard.ts';
import { LeftOutError } from './label-mapping.ts';
import type { FormatReport } from './report.ts';
import type { LabeledShape, Tag, TaskData, Track } from './task-data.ts';

/** A shape with only an outline and a label, plus the given fields. */
export function plainShape(
  shape: Pick<LabeledShape, 'type' | 'points' | 'frame' | 'label'> & Partial<LabeledShape>,
): LabeledShape {
  return { occluded: false, attributes: [], group: 0, z_order: 0, source: 'file', ...shape };
}

/**
 * Adds objects one by one. Each is counted as imported, or reported with its place and dropped. `file` is the path in
 * the report. `at` is the place in the file, for example `line 12`, or a line number, which avoids creating texts that
 * are seldom needed.
 */
export function createAnnotationAdder(task_data: TaskData, report: FormatReport, file: string) {
  const attempt = (type: string, label: string, at: string | number, add: () => void): void => {
    try {
      add();
      report.included(type, label);
    } catch (error) {
      if (error instanceof LeftOutError) report.dropped(type, label, error.message);
      else if (error instanceof LabelError || error instanceof ShapeError)
        report.invalid(file, typeof at === 'number' ? `line ${at}` : at, `${type}: ${error.message}`);
      else throw error;
    }
  };
  return {
    tag: (tag: Tag, at: string | number): void => attempt('tag', tag.label, at, () => task_data.add_tag(tag)),
    shape: (shape: LabeledShape, at: string | number): void =>
      attempt(shape.type, shape.label, at, () => task_data.add_shape(shape)),
    track: (track: Track, at: string | number): void =>
      attempt('track', track.label, at, () => task_data.add_track(track)),
  };
}

export type AnnotationAdder = ReturnType<typeof createAnnotationAdder>;

/**
 * Maps the groups of files (number or text) to numbers from 1, unique in the import. Membership is preserved, numbers
 * are not. `scope` separates equal groups of two files or images.
 */
export function createGroupNumbers(nextGroup: () => number): (scope: string, group: unknown) => number {
  const known = new Map<string, number>();
  return (scope, group) => {
    if ((typeof group !== 'number' && typeof group !== 'string') || group === '') return 0;
    const key = `${scope}\u0000${group}`;
    const number = known.get(key) ?? nextGroup();
    known.set(key, number);
    return number;
  };
}
