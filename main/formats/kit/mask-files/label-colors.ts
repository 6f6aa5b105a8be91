import { colorToHex, hexToColor, type RgbColor, vocColor } from '../../../../preload/contract/colors.ts';
import { numberOption } from '../option-values.ts';
import type { FormatOption, ImportOptions } from '../plugin.ts';
import type { FormatReport } from '../report.ts';
import type { LabelInfo } from '../task-data.ts';

/** A label with its color in mask images. Its index in the list is its number. */
export interface LabelColor {
  readonly name: string;
  readonly color: RgbColor;
}

export const backgroundName = 'background';

const black: RgbColor = [0, 0, 0];

export function colorNumber([red, green, blue]: RgbColor): number {
  return (red << 16) | (green << 8) | blue;
}

/** Replaces line breaks, because files have one name per line. */
export function oneLine(name: string, report: FormatReport): string {
  const line = name.replaceAll(/[\r\n]+/g, ' ').trim();
  if (line !== name)
    report.warn(`The label ${JSON.stringify(name)} is written as "${line}": the file has one name per line.`);
  return line;
}

/**
 * Label colors for mask images: the background in black, then the labels by name. If a label's color is black or
 * taken, another one is assigned and reported.
 */
export function taskLabelColors(labels: readonly LabelInfo[], report: FormatReport): readonly LabelColor[] {
  const used = new Set([colorNumber(black)]);
  let next = 1;
  const freeColor = (): RgbColor => {
    while (used.has(colorNumber(vocColor(next)))) next += 1;
    return vocColor(next);
  };
  const list: LabelColor[] = [{ name: backgroundName, color: black }];
  const byName = labels.filter(({ name }) => name !== backgroundName).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  for (const { name, color: stated } of byName) {
    const own = hexToColor(stated);
    const isFree = own !== null && !used.has(colorNumber(own));
    const color = isFree ? own : freeColor();
    if (!isFree) {
      report.warn(
        `The label "${name}" is painted in ${colorToHex(color)}: its color ${stated || '(none)'} is black or another label's.`,
      );
    }
    used.add(colorNumber(color));
    list.push({ name: oneLine(name, report), color });
  }
  return list;
}

interface ReadColors {
  readonly labels: readonly LabelColor[];
  readonly problems: readonly { readonly line: number; readonly reason: string }[];
}

/**
 * Reads `label_colors.txt`: `red green blue name` per line. Names may have spaces. Without colors, the VOC color map is
 * used.
 */
export function readLabelColors(lines: readonly string[]): ReadColors {
  const labels: LabelColor[] = [];
  const problems: { line: number; reason: string }[] = [];
  const names = new Set<string>();
  for (const [index, text] of lines.entries()) {
    const line = text.trim();
    if (line === '' || line.startsWith('#')) continue;
    const match = /^(\d{1,3})\s+(\d{1,3})\s+(\d{1,3})\s+(.+)$/.exec(line);
    const color = match ? [Number(match[1]), Number(match[2]), Number(match[3])] : undefined;
    const name = match?.[4] ?? line;
    if (color?.some((channel) => channel > 255))
      problems.push({ line: index + 1, reason: 'a color must be at most 255' });
    else if (names.has(name)) problems.push({ line: index + 1, reason: `the label "${name}" occurs twice` });
    else {
      names.add(name);
      // The regular expression has matched three numbers.
      labels.push({ name, color: (color as RgbColor | undefined) ?? vocColor(labels.length) });
    }
  }
  return { labels, problems };
}

export function writeLabelColors(labels: readonly LabelColor[]): string {
  return labels.map(({ name, color }) => `${color.join(' ')} ${name}\n`).join('');
}

/** Warns of names with spaces, because other programs read the text after the first space as another field. */
export function warnOfSpaces(names: readonly string[], format: string, report: Pick<FormatReport, 'warn'>): void {
  const spaced = names.filter((name) => /\s/.test(name));
  if (spaced.length === 0) return;
  report.warn(
    `${format} separates its fields by spaces, and other programs cannot read labels with a space: ${spaced
      .slice(0, 5)
      .map((name) => `"${name}"`)
      .join(', ')}. To be safe, give them another name in the export.`,
  );
}

const maxRemembered = 1_000_000;

/**
 * Finds labels by color: exactly or, with a tolerance, the nearest label of which no channel differs by more. If two
 * labels share a color, the first one is used.
 */
export function createColorResolver(labels: readonly LabelColor[], tolerance = 0) {
  const known = new Map<number, number>();
  labels.forEach(({ color }, index) => {
    const number = colorNumber(color);
    if (!known.has(number)) known.set(number, index);
  });
  const nearest = (color: number): number => {
    let best = -1;
    let least = Infinity;
    labels.forEach(({ color: [red, green, blue] }, index) => {
      const differences = [(color >> 16) - red, ((color >> 8) & 255) - green, (color & 255) - blue];
      const distance = differences.reduce((sum, difference) => sum + difference * difference, 0);
      if (distance >= least || differences.some((difference) => Math.abs(difference) > tolerance)) return;
      least = distance;
      best = index;
    });
    return best;
  };
  return {
    /** Index of the label; -1 for an unknown color. */
    resolve(color: number): number {
      const found = known.get(color);
      if (found !== undefined) return found;
      const label = tolerance > 0 ? nearest(color) : -1;
      if (known.size < maxRemembered) known.set(color, label);
      return label;
    },
  };
}

/** Tolerance for the difference of pixel and label colors. */
export const colorTolerance: FormatOption = {
  name: 'color_tolerance',
  title: 'Colour tolerance',
  description: 'Maximum difference between a color and that of its label, 0 to 255. 0: only exact colors.',
  kind: 'number',
  minimum: 0,
  maximum: 255,
  default: 0,
};

export const toleranceOf = (options: ImportOptions): number =>
  numberOption(options, colorTolerance.name, { fallback: 0, minimum: 0, maximum: 255 });
