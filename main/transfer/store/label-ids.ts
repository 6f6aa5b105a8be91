import type { Label } from '../../../preload/contract/schema/labels.ts';

/** What names mean in the store. */
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

/** Labels by name. Sublabels carry no further level, which the contract's type does not say. */
export const labelIdsByName = (labels: readonly Label[]) => idsOf(labels as readonly NamedLabel[]);
