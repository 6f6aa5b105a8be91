import { LabelError } from './annotation-checks.ts';
import { ShapeError } from './frame-guard.ts';
import { LeftOutError } from './label-mapping.ts';
import type { FormatReport } from './report.ts';
import type { LabeledShape, Tag, TaskData, Track } from './task-data.ts';

/** A shape of a file that says no more of it than its outline and label, and what is given here. */
export function plainShape(
  shape: Pick<LabeledShape, 'type' | 'points' | 'frame' | 'label'> & Partial<LabeledShape>,
): LabeledShape {
  return { occluded: false, attributes: [], group: 0, z_order: 0, source: 'file', ...shape };
}

/**
 * Adds objects one by one: each is counted as carried, or reported with its place in the file and left out. `file` is
 * the path that the report names; `at` says where in it the object stands, for example `line 12`, or as a number the
 * line: of most objects no word is said.
 */
export function createAnnotationAdder(task_data: TaskData, report: FormatReport, file: string) {
  const attempt = (type: string, label: string, at: string | number, add: () => void): void => {
    try {
      add();
      report.carried(type, label);
    } catch (error) {
      if (error instanceof LeftOutError) report.lost(type, label, error.message);
      else if (error instanceof LabelError || error instanceof ShapeError)
        report.bad(file, typeof at === 'number' ? `line ${at}` : at, `${type}: ${error.message}`);
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
 * Groups as files name them, by number or text, become numbers counted from 1 over the whole import: which objects
 * belong together is kept, the numbers are not. `scope` keeps apart what two files or images call alike.
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
