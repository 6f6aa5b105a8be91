export type RgbColor = readonly [red: number, green: number, blue: number];

/** Colour of an index in the PASCAL VOC colormap: bits of the index, three at a time, from the highest bit down. */
export function vocColor(index: number): RgbColor {
  let red = 0;
  let green = 0;
  let blue = 0;
  for (let rest = index, shift = 7; shift >= 0; shift -= 1, rest >>= 3) {
    red |= (rest & 1) << shift;
    green |= ((rest >> 1) & 1) << shift;
    blue |= ((rest >> 2) & 1) << shift;
  }
  return [red, green, blue];
}

export const vocColormap = (size = 256): RgbColor[] => Array.from({ length: size }, (_, index) => vocColor(index));

export const colorToHex = (color: RgbColor): string =>
  `#${color.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;

/** Parses `#rrggbb` in either case; null for anything else. */
export function hexToColor(text: string): RgbColor | null {
  if (!/^#[0-9a-f]{6}$/iu.test(text)) return null;
  const value = Number.parseInt(text.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

export const labelPalette: readonly string[] = [
  '#33ddff',
  '#fa3253',
  '#34d1b7',
  '#ff007c',
  '#ff6037',
  '#ddff33',
  '#24b353',
  '#b83df5',
  '#66ff66',
  '#32b7fa',
  '#ffcc33',
  '#83e070',
  '#fafa37',
  '#5986b3',
  '#8c78f0',
  '#ff6a4d',
  '#f078f0',
  '#2a7dd1',
  '#b25050',
  '#cc3366',
  '#cc9933',
  '#aaf0d1',
  '#ff00cc',
  '#3df53d',
  '#fa32b7',
  '#fa7dbb',
  '#ff355e',
  '#f59331',
  '#3d3df5',
  '#733380',
];

/** FNV-1a over UTF-16 units, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

const blend = (color: RgbColor, target: number, share: number): RgbColor => [
  Math.round(color[0] + (target - color[0]) * share),
  Math.round(color[1] + (target - color[1]) * share),
  Math.round(color[2] + (target - color[2]) * share),
];

/** Shades and tints of the palette, then the rest of the VOC colormap: 14 times the palette and 255 more. */
function* furtherColors(start: number): Generator<string> {
  for (const share of [0.3, 0.15, 0.45, 0.22, 0.38, 0.52, 0.08]) {
    for (const target of [0, 255]) {
      for (let step = 0; step < labelPalette.length; step += 1) {
        const color = hexToColor(labelPalette[(start + step) % labelPalette.length]!);
        if (color !== null) yield colorToHex(blend(color, target, share));
      }
    }
  }
  for (let index = 1; index < 256; index += 1) yield colorToHex(vocColor(index));
}

/**
 * Default colour (`#rrggbb`) of a new label: the first free one of the palette, or if all are in use, a shade or tint
 * derived from the name. A label called "background" is black. The same arguments always give the same colour.
 */
export function labelColor(name: string, usedColors: Iterable<string> = []): string {
  const normalized = name.trim().toLowerCase();
  if (normalized === 'background') return '#000000';
  const used = new Set(Array.from(usedColors, (color) => color.toLowerCase()));
  const free = labelPalette.find((color) => !used.has(color));
  if (free !== undefined) return free;
  const hash = hashOf(normalized);
  for (const color of furtherColors(hash % labelPalette.length)) if (!used.has(color)) return color;
  return colorToHex([hash & 255, (hash >> 8) & 255, (hash >> 16) & 255]);
}
