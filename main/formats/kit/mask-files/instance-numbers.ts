import type { FormatReport } from '../report.ts';
import type { PaintedFrame } from './frame-painter.ts';
import { isCrowd } from './label-file.ts';

export interface InstanceNumbering {
  /** Maximum number of distinct instances per label and image. */
  readonly perLabel: number;
  /** Pixel value for an instance (counted from 1) of a label; undefined beyond the numbers of the format. */
  readonly numberOf: (label: number, instance: number) => number | undefined;
  /** Pixel value for objects that are not distinguished. */
  readonly crowdOf: (label: number) => number;
  readonly format: string;
}

/** Numbers the instances of an image by label. Crowds and instances beyond the range share a number. */
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
        ? `${format} has one crowd per label and image: they become one mask.`
        : `${format} does not have enough numbers for all labels and objects: it becomes part of a crowd.`;
      report.dropped(leader.type, leader.label, rule);
    }
    crowds.add(label);
    return crowdOf(label);
  });
}
