import type { FormatReport } from './report.ts';
import type { LabeledShape, Tag, TaskData } from './task-data.ts';

/** Details of an object that a format stores besides outline and label. */
export interface KeptDetails {
  /** All attributes, or those with a field in the format. */
  readonly attributes?: true | ReadonlySet<string>;
  /** Names that the format reserves, so that no attribute can use them. */
  readonly ownNames?: ReadonlySet<string>;
  /** True if an empty value reads back as missing. */
  readonly lacksEmptyValues?: true;
  readonly occluded?: true;
  readonly group?: true;
  readonly z_order?: true;
  readonly score?: true;
  readonly rotation?: true;
}

export function createLossNotes(report: FormatReport, format: string, kept: KeptDetails) {
  const noteAttributes = (type: string, { label, attributes }: Pick<Tag, 'label' | 'attributes'>): void => {
    if (attributes.length === 0) return;
    for (const { name, value } of attributes) {
      if (!kept.attributes) return report.dropped(type, label, `${format} has no attributes.`);
      const lose = (rule: string): void => report.dropped('attribute', label, rule);
      if (kept.ownNames?.has(name)) lose(`${format} files use the attribute name "${name}" for something else.`);
      else if (kept.attributes !== true && !kept.attributes.has(name))
        lose(`${format} has no field for the attribute "${name}".`);
      else if (kept.lacksEmptyValues && value === '')
        lose(`${format} cannot hold this value of the attribute "${name}".`);
    }
  };
  return {
    /** Reports the details of an exported shape that the format drops. */
    shape(shape: LabeledShape): void {
      const note = (rule: string): void => report.dropped(shape.type, shape.label, rule);
      noteAttributes(shape.type, shape);
      if (shape.occluded && !kept.occluded) note(`${format} has no "occluded" flag.`);
      if (shape.group !== 0 && !kept.group) note(`${format} has no groups.`);
      if (shape.z_order !== 0 && !kept.z_order) note(`${format} has no drawing order.`);
      if (shape.score !== undefined && shape.score !== 1 && !kept.score) note(`${format} has no score.`);
      if ((shape.rotation ?? 0) % 360 !== 0 && !kept.rotation) note(`${format} has no rotation.`);
      for (const element of shape.elements ?? []) noteAttributes('points', element);
    },
    tag(tag: Tag): void {
      noteAttributes('tag', tag);
      if (tag.group !== 0 && !kept.group) report.dropped('tag', tag.label, `${format} has no groups.`);
    },
    /** Reports that each track was split into shapes, for formats without tracks. */
    tracks(task_data: TaskData): void {
      for (const { label } of task_data.tracks) {
        report.dropped(
          'track',
          label,
          `${format} has no tracks: each visible frame of the track became a separate shape.`,
        );
      }
    },
  };
}

export type LossNotes = ReturnType<typeof createLossNotes>;

/** Selects the objects that a format exports, and reports dropped objects and details with reasons. */
export function createCarrier(report: FormatReport, notes: LossNotes) {
  const pick = <Item extends { readonly label: string }>(
    items: readonly Item[],
    problemOf: (item: Item, included: readonly Item[]) => string | undefined,
    typeOf: (item: Item) => string,
    note: (item: Item) => void,
  ): Item[] => {
    const included: Item[] = [];
    for (const item of items) {
      const problem = problemOf(item, included);
      if (problem === undefined) {
        included.push(item);
        note(item);
        report.included(typeOf(item), item.label);
      } else report.dropped(typeOf(item), item.label, problem);
    }
    return included;
  };
  return {
    /** Visible shapes for which `problemOf` returns no reason. */
    shapes(
      shapes: readonly LabeledShape[],
      problemOf: (shape: LabeledShape, included: readonly LabeledShape[]) => string | undefined,
    ): LabeledShape[] {
      const seen = shapes.filter((shape) => !(shape.track_id !== undefined && shape.outside === true));
      return pick(seen, problemOf, ({ type }) => type, notes.shape);
    },
    tags: (tags: readonly Tag[], problemOf: (tag: Tag, included: readonly Tag[]) => string | undefined): Tag[] =>
      pick(tags, problemOf, () => 'tag', notes.tag),
  };
}

export function boxProblem({ type, points }: LabeledShape, format: string): string | undefined {
  if (type !== 'rectangle') return `${format} has boxes only.`;
  return points.length === 4 && points.every(Number.isFinite)
    ? undefined
    : 'Its coordinates are not four finite numbers.';
}

/** Reason for dropping a tag whose label the image already has, or undefined. */
export function repeatedTag({ label }: Tag, included: readonly Tag[]): string | undefined {
  return included.some((tag) => tag.label === label) ? 'The image has this label twice.' : undefined;
}
