import type { FormatReport } from '../report.ts';
import type { PaintedFrame, PaintedInstance } from './frame-painter.ts';
import { backgroundName, type LabelColor } from './label-colors.ts';

/** Numbers of labels in the color list by the task's label names. */
export function numbersOf(names: readonly string[], labels: readonly LabelColor[]): ReadonlyMap<string, number> {
  const places = new Map(labels.map(({ name }, index) => [name, index]));
  return new Map(names.map((name) => [name, places.get(name.replaceAll(/[\r\n]+/g, ' ').trim()) ?? 0]));
}

/** Maps each pixel to the number of its label, or to another number of its instance. */
export function mapInstances(
  { indices, instances }: PaintedFrame,
  numberOf: (instance: PaintedInstance, place: number) => number,
): Uint32Array {
  const numbers = [0, ...instances.map(numberOf)];
  return indices.map((index) => numbers[index] ?? 0);
}

/**
 * Reports shapes with the background label: they erase shapes below, because the formats cannot store them otherwise.
 */
export function noteBackground({ instances }: PaintedFrame, format: string, report: FormatReport): void {
  for (const { leader } of instances) {
    if (leader.label === backgroundName)
      report.dropped(leader.type, leader.label, `In ${format} "${backgroundName}" means pixels without an object.`);
  }
}

/** Reports objects of one label that become one, because class masks have no instances. */
export function noteJoined({ instances }: PaintedFrame, format: string, report: FormatReport): void {
  const seen = new Set<string>();
  for (const { leader } of instances) {
    if (seen.has(leader.label)) {
      report.dropped(
        leader.type,
        leader.label,
        `${format} does not distinguish objects of one label: in an image they become one mask.`,
      );
    }
    seen.add(leader.label);
  }
}
