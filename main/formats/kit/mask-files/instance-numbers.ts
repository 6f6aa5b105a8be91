import type { FormatReport } from '../report.ts';
import type { PaintedFrame } from './frame-painter.ts';
import { isCrowd } from './label-file.ts';

export interface InstanceNumbering {
  /** Instances of a label that can be told apart on one image. */
  readonly perLabel: number;
  /** The image's number of an instance, counted from 1, of a label; undefined where numbers of the format end before. */
  readonly numberOf: (label: number, instance: number) => number | undefined;
  /** The number for objects that are not told apart. */
  readonly crowdOf: (label: number) => number;
  /** The format's name, for sentences. */
  readonly format: string;
}

/** Numbers the instances of an image by label, crowds and what the format has no numbers for together. */
export function numberInstances(
  { instances }: PaintedFrame,
  labelOf: (name: string) => number,
  { perLabel, numberOf, crowdOf, format }: InstanceNumbering,
  report: FormatReport,
): number[] {
  const counts = new Map<number, number>();
  const crowds = new Set<number>();
  return instances.map(({ leader }) => {
    const label = labelOf(leader.label);
    if (label === 0) return 0;
    const crowd = isCrowd(leader.attributes);
    const count = (counts.get(label) ?? 0) + 1;
    const number = crowd || count > perLabel ? undefined : numberOf(label, count);
    if (number !== undefined) {
      counts.set(label, count);
      return number;
    }
    if (crowds.has(label) || !crowd) {
      const rule = crowd
        ? `${format} has one crowd of a label on an image: they become one mask.`
        : `${format} has no number for so many labels or objects: it becomes part of a crowd.`;
      report.lost(leader.type, leader.label, rule);
    }
    crowds.add(label);
    return crowdOf(label);
  });
}
