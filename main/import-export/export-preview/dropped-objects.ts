import type { FramePreview } from '../../../preload/contract/schema/frame-preview.ts';
import type { SupportTable } from '../../formats/kit/plugin.ts';
import type { FormatSummary } from '../../formats/kit/report.ts';
import type { Frame } from '../../formats/kit/task-data.ts';
import type { LeftOutObject } from '../export-options/object-converter.ts';
import { kindOf } from '../export-options/shape-conversion.ts';

/** Groups dropped objects by kind, label and reason. */
export function leftOutRows(objects: readonly LeftOutObject[]): FramePreview['left_out'] {
  const rows = Map.groupBy(objects, ({ kind, label, reason }) => `${kind}\u0000${label}\u0000${reason}`);
  return [...rows.values()].map((same) => ({ ...same[0]!, count: same.length }));
}

/** Losses reported by the format, marked if the file has a part of the objects. */
export function lossRows(
  { dropped, included }: Pick<FormatSummary, 'dropped' | 'included'>,
  given: readonly Frame[],
  support: SupportTable | undefined,
): FramePreview['losses'] {
  const countOf = (type: string, label: string): number =>
    given.reduce(
      (sum, { labeled_shapes: shapes, tags }) =>
        sum +
        (type === 'tag'
          ? tags.filter((tag) => tag.label === label).length
          : shapes.filter((shape) => shape.label === label && shape.type === type).length),
      0,
    );
  return dropped.map(({ type, label, rule, count }) => {
    const objects = countOf(type, label);
    const found = included.find((one) => one.type === type && one.label === label)?.count ?? 0;
    const isConverted = given.some(({ labeled_shapes: shapes }) =>
      shapes.some((shape) => shape.label === label && shape.type === type && isTurned(support, kindOf(shape))),
    );
    return { type, label, count, rule, is_written: found >= objects || isConverted };
  });
}

const isTurned = (support: SupportTable | undefined, kind: keyof SupportTable): boolean =>
  support?.[kind] === 'converted';
