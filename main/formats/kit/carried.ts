import type { LossNotes } from './lost-details.ts';
import type { FormatReport } from './report.ts';
import type { LabeledShape, Tag } from './task-data.ts';

/** Picks what a format carries: the rest is reported with the reason, and so is what is lost of what is carried. */
export function createCarrier(report: FormatReport, notes: LossNotes) {
  const pick = <Item extends { readonly label: string }>(
    items: readonly Item[],
    problemOf: (item: Item, carried: readonly Item[]) => string | undefined,
    typeOf: (item: Item) => string,
    note: (item: Item) => void,
  ): Item[] => {
    const carried: Item[] = [];
    for (const item of items) {
      const problem = problemOf(item, carried);
      if (problem === undefined) {
        carried.push(item);
        note(item);
        report.carried(typeOf(item), item.label);
      } else report.lost(typeOf(item), item.label, problem);
    }
    return carried;
  };
  return {
    /** Shapes that are seen and for which `problemOf` finds no reason to leave them out. */
    shapes(
      shapes: readonly LabeledShape[],
      problemOf: (shape: LabeledShape, carried: readonly LabeledShape[]) => string | undefined,
    ): LabeledShape[] {
      const seen = shapes.filter((shape) => !(shape.track_id !== undefined && shape.outside === true));
      return pick(seen, problemOf, ({ type }) => type, notes.shape);
    },
    tags: (tags: readonly Tag[], problemOf: (tag: Tag, carried: readonly Tag[]) => string | undefined): Tag[] =>
      pick(tags, problemOf, () => 'tag', notes.tag),
  };
}

/** Why a shape cannot be written as a box, or undefined. */
export function boxProblem({ type, points }: LabeledShape, format: string): string | undefined {
  if (type !== 'rectangle') return `${format} has boxes only.`;
  return points.length === 4 && points.every(Number.isFinite)
    ? undefined
    : 'Its coordinates are not four finite numbers.';
}

/** Why a tag is left out whose label the image has already, or undefined. */
export function repeatedTag({ label }: Tag, carried: readonly Tag[]): string | undefined {
  return carried.some((tag) => tag.label === label) ? 'The image has this label twice.' : undefined;
}
