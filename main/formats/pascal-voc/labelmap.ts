import { type RgbColor, vocColor } from '../../../preload/contract/colors.ts';
import type { Source } from '../io/source.ts';
import { splitLines } from '../io/text-lines.ts';
import { backgroundName, type LabelColor } from '../kit/mask-files/label-colors.ts';
import type { FormatReport } from '../kit/report.ts';

export interface VocLabel {
  readonly name: string;
  readonly color: RgbColor | undefined;
  readonly parts: readonly string[];
  readonly actions: readonly string[];
}

export const labelmapFile = 'labelmap.txt';

const standardNames =
  'aeroplane bicycle bird boat bottle bus car cat chair cow diningtable dog horse motorbike person pottedplant sheep sofa train tvmonitor';

/** Classes of the published datasets, which have no label map. The first one is the background. */
export function standardLabels(): VocLabel[] {
  const names = [backgroundName, ...standardNames.split(' ')];
  return names.map((name, index) => ({
    name,
    color: vocColor(index),
    parts: name === 'person' ? ['head', 'hand', 'foot'] : [],
    actions: [],
  }));
}

/** The published masks separate objects by borders of this color, which is not a label. */
export const borderColor: RgbColor = [224, 224, 192];

function list(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function readColor(text: string): RgbColor | undefined {
  const match = /^\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*$/.exec(text);
  const channels = match?.slice(1).map(Number);
  // The regular expression has three groups.
  return channels?.every((channel) => channel <= 255) ? (channels as unknown as RgbColor) : undefined;
}

/**
 * Reads `label:color_rgb:parts:actions`. Label names may contain colons, so the last three of a line separate the
 * fields.
 */
function readLabelmap(lines: readonly string[], file: string, report: FormatReport): VocLabel[] {
  const labels = new Map<string, VocLabel>();
  for (const [index, line] of lines.entries()) {
    const text = line.trim();
    const at = `line ${index + 1}`;
    const match = /^(.+?):([^:]*):([^:]*):([^:]*)$/.exec(text);
    const [, name = '', color = '', parts = '', actions = ''] = match ?? [];
    const read = readColor(color);
    // A comment, unless it parses as a label whose name starts with `#`.
    if (text === '' || (text.startsWith('#') && !read)) continue;
    if (!match) report.invalid(file, at, 'a line must be "label:red,green,blue:parts:actions"');
    else if (labels.has(name)) report.invalid(file, at, `the label "${name}" occurs twice`);
    else if (color.trim() !== '' && !read)
      report.invalid(file, at, `"${color}" is not a color of three numbers up to 255`);
    else labels.set(name, { name, color: read, parts: list(parts), actions: list(actions) });
  }
  return [...labels.values()];
}

export function writeLabelmap(labels: readonly LabelColor[], report: FormatReport): string {
  const lines = labels.map(({ name, color }) => {
    if (name.includes(':'))
      report.warn(
        `The label "${name}" has a colon, which separates the fields of ${labelmapFile}: some programs cannot read it.`,
      );
    if (name.startsWith('#'))
      report.warn(`The label "${name}" starts like a comment of ${labelmapFile}: other programs ignore it.`);
    return `${name}:${color.join(',')}::\n`;
  });
  return `# label:color_rgb:parts:actions\n${lines.join('')}`;
}

/** Label map of a source; undefined if it has none. */
export async function findLabelmap(source: Source, report: FormatReport): Promise<VocLabel[] | undefined> {
  if (!source.has(labelmapFile)) return undefined;
  return readLabelmap(splitLines(await source.read(labelmapFile)), labelmapFile, report);
}

/** Labels with their mask colors. If no label has one, the VOC colors by index. */
export function colorsOf(labels: readonly VocLabel[]): LabelColor[] {
  const hasColors = labels.some(({ color }) => color !== undefined);
  return labels.flatMap(({ name, color }, index) => {
    const own = hasColors ? color : vocColor(index);
    return own ? [{ name, color: own }] : [];
  });
}
