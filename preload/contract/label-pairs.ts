import type { Label, LabelWrite } from './schema/labels.ts';

type Sublabel = Label['sublabels'][number];

export interface LabelPairs {
  readonly labels: Map<number, number>;
  readonly attributes: Map<number, number>;
}

export type Lacking =
  | { readonly kind: 'label'; readonly label: string; readonly type: string }
  | { readonly kind: 'attribute'; readonly label: string; readonly attribute: string };

const partsOf = (label: Sublabel | Label): readonly Sublabel[] =>
  ('sublabels' in label ? label.sublabels : []) as Sublabel[];

/**
 * Finds the counterpart of a label when its task moves to another project: same name and type, with attributes of the
 * same names. Adds to `found`. Returns the missing part if there is no counterpart; `found` is then incomplete.
 */
export function pairLabel(
  from: Sublabel | Label,
  targets: readonly (Sublabel | Label)[],
  found: LabelPairs,
): Lacking | null {
  const to = targets.find(({ name }) => name === from.name);
  const isSkeleton = [from.type, to?.type].includes('skeleton');
  const fits = to !== undefined && (to.type === from.type || (!isSkeleton && [to.type, from.type].includes('any')));
  if (!fits) return { kind: 'label', label: from.name, type: from.type };
  found.labels.set(from.id, to.id);
  for (const attribute of from.attributes) {
    const same = to.attributes.find(({ name, mutable }) => name === attribute.name && mutable === attribute.mutable);
    if (!same) return { kind: 'attribute', label: from.name, attribute: attribute.name };
    found.attributes.set(attribute.id, same.id);
  }
  for (const part of partsOf(from)) {
    const lacking = pairLabel(part, partsOf(to), found);
    if (lacking !== null) return lacking;
  }
  return null;
}

/** Label without ids, to create a copy. */
export function copyOfLabel(label: Label): LabelWrite {
  const plain = ({ name, color, type, attributes }: Sublabel | Label) => ({
    name,
    color,
    type,
    attributes: attributes.map(({ id: _id, ...attribute }) => attribute),
  });
  return {
    ...plain(label),
    ...(label.type === 'skeleton' ? { svg: label.svg ?? '', sublabels: label.sublabels.map(plain) } : {}),
  };
}
