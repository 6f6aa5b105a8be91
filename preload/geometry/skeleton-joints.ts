/** Line between two points of a skeleton, by their positions in its list of sublabels, from 1. */
export type Joint = readonly [from: number, to: number];

function attributesOf(tag: string): ReadonlyMap<string, string> {
  const found = tag.matchAll(/([\w-]+)\s*=\s*"([^"]*)"/g);
  return new Map(Array.from(found, ([, name = '', value = '']) => [name, value]));
}

export const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

export function decodeEntities(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (whole, name: string) => entities[name] ?? whole);
}

interface SkeletonTemplate {
  readonly svg?: string | undefined;
  readonly sublabels: readonly { readonly id?: number; readonly name: string }[];
}

interface Node {
  /** Id that lines use. */
  readonly id: string;
  /** Index of its sublabel, from 0; its own index if it has none. */
  readonly place: number;
  readonly x: number;
  readonly y: number;
}

/** Circles represent points: by the name or id of the sublabel, otherwise in the order of the sublabels. */
function nodesOf({ svg = '', sublabels }: SkeletonTemplate): Node[] {
  return Array.from(svg.matchAll(/<circle\b[^>]*>/g), ([tag], index) => {
    const attributes = attributesOf(tag);
    const name = decodeEntities(attributes.get('data-label-name') ?? '');
    const id = attributes.get('data-label-id');
    const place = sublabels.findIndex((sublabel) => sublabel.name === name || String(sublabel.id) === id);
    return {
      id: attributes.get('data-node-id') ?? String(index + 1),
      place: place >= 0 ? place : index,
      x: Number(attributes.get('cx') ?? Number.NaN),
      y: Number(attributes.get('cy') ?? Number.NaN),
    };
  });
}

/** Lines of a skeleton's SVG, which refer to their circles by id. */
export function skeletonJoints(label: SkeletonTemplate): Joint[] {
  const places = new Map(nodesOf(label).map(({ id, place }) => [id, place + 1]));
  return Array.from((label.svg ?? '').matchAll(/<line\b[^>]*>/g)).flatMap(([tag]): Joint[] => {
    const attributes = attributesOf(tag);
    const from = places.get(attributes.get('data-node-from') ?? '');
    const to = places.get(attributes.get('data-node-to') ?? '');
    const isPlace = (place: number | undefined): place is number =>
      place !== undefined && place <= label.sublabels.length;
    return isPlace(from) && isPlace(to) ? [[from, to]] : [];
  });
}

/** Position of each sublabel's point in the SVG, in its units; null if it has none. */
export function skeletonPlaces(label: SkeletonTemplate): ({ readonly x: number; readonly y: number } | null)[] {
  const placed = new Map(
    nodesOf(label)
      .filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))
      .map((node) => [node.place, node]),
  );
  return label.sublabels.map((_, place) => placed.get(place) ?? null);
}

/**
 * Position of each sublabel's point in their bounding box, 0 to 1 on both axes. Points without a position are placed in
 * a row across the middle, so that a skeleton without an SVG can be drawn too.
 */
export function skeletonLayout(label: SkeletonTemplate): { x: number; y: number }[] {
  const places = skeletonPlaces(label);
  const along = (axis: 'x' | 'y') => {
    const values = places.flatMap((place) => place?.[axis] ?? []);
    const low = Math.min(...values);
    const span = Math.max(...values) - low;
    return (value: number): number => (span > 0 ? (value - low) / span : 0.5);
  };
  const [x, y] = [along('x'), along('y')];
  return places.map((node, place) =>
    node === null ? { x: (place + 0.5) / places.length, y: 0.5 } : { x: x(node.x), y: y(node.y) },
  );
}
