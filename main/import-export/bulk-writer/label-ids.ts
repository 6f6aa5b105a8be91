import type { Label } from '../../../preload/contract/schema/labels.ts';

/** Ids of names in the store. */
export interface LabelIds {
  readonly id: number;
  readonly attributes: ReadonlyMap<string, number>;
  readonly sublabels: ReadonlyMap<string, LabelIds>;
}

type NamedLabel = Pick<Label, 'id' | 'name' | 'attributes'> & { readonly sublabels?: readonly NamedLabel[] };

const idsOf = (labels: readonly NamedLabel[]): Map<string, LabelIds> =>
  new Map(
    labels.map(({ id, name, attributes, sublabels }) => [
      name,
      { id, attributes: new Map(attributes.map((one) => [one.name, one.id])), sublabels: idsOf(sublabels ?? []) },
    ]),
  );

/** Ids of labels by name. Sublabels have no further level, but the contract's type allows it. */
export const labelIdsByName = (labels: readonly Label[]) => idsOf(labels as readonly NamedLabel[]);
