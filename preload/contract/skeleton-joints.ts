/** A line between two points of a skeleton, by their places in its list of sublabels, counted from 1. */
export type Joint = readonly [from: number, to: number];

function attributesOf(tag: string): ReadonlyMap<string, string> {
  const found = tag.matchAll(/([\w-]+)\s*=\s*"([^"]*)"/g);
  return new Map(Array.from(found, ([, name = '', value = '']) => [name, value]));
}

export const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (whole, name: string) => entities[name] ?? whole);
}

/**
 * The lines of a skeleton's drawing. Circles stand for points, by the name or id of their sublabel or else in the order
 * of the sublabels; lines name the circles that they join.
 */
export function skeletonJoints(label: {
  readonly svg?: string;
  readonly sublabels: readonly { readonly id?: number; readonly name: string }[];
}): Joint[] {
  const svg = label.svg ?? '';
  const places = new Map<string, number>();
  let circles = 0;
  for (const [tag] of svg.matchAll(/<circle\b[^>]*>/g)) {
    const attributes = attributesOf(tag);
    circles += 1;
    const name = decodeEntities(attributes.get('data-label-name') ?? '');
    const id = attributes.get('data-label-id');
    const place = label.sublabels.findIndex((sublabel) => sublabel.name === name || String(sublabel.id) === id);
    const node = attributes.get('data-node-id') ?? String(circles);
    places.set(node, place >= 0 ? place + 1 : circles);
  }
  return Array.from(svg.matchAll(/<line\b[^>]*>/g)).flatMap(([tag]): Joint[] => {
    const attributes = attributesOf(tag);
    const from = places.get(attributes.get('data-node-from') ?? '');
    const to = places.get(attributes.get('data-node-to') ?? '');
    const isPlace = (place: number | undefined): place is number =>
      place !== undefined && place <= label.sublabels.length;
    return isPlace(from) && isPlace(to) ? [[from, to]] : [];
  });
}
