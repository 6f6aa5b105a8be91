import { vocColor } from '../../../preload/contract/colors.ts';
import { csvFields } from '../io/csv-rows.ts';
import { isSystemFile, type Source } from '../io/source.ts';
import { decodeText } from '../io/text-encoding.ts';
import { splitLines } from '../io/text-lines.ts';
import { backgroundName, type LabelColor, readLabelColors } from '../kit/mask-files/label-colors.ts';
import { isRecord } from '../kit/records.ts';

type Color = LabelColor['color'];
const maxBytes = 4 * 1024 * 1024;
const isChannel = (text: string | undefined): boolean => /^\s*\d{1,3}\s*$/.test(text ?? '') && Number(text) <= 255;

/** Reads `name,r,g,b`, in the column order of the header. Without colors, the VOC color map is used. */
function fromTable(lines: readonly string[]): LabelColor[] {
  const filled = lines.filter((line) => line.trim() !== '');
  // The first line decides for all, because names may contain a semicolon.
  const delimiter = filled[0]?.includes(';') === true && !filled[0].includes(',') ? ';' : ',';
  const rows = filled.map((line) => csvFields(line, delimiter));
  const head = rows[0]?.map((name) => name.trim().toLowerCase()) ?? [];
  const columnOf = (...names: readonly string[]): number => head.findIndex((name) => names.includes(name));
  const at = { name: columnOf('name', 'label', 'class', 'classes'), red: columnOf('r', 'red') };
  const isHead = at.name >= 0;
  return (isHead ? rows.slice(1) : rows).flatMap((row, index): LabelColor[] => {
    const name = row[isHead ? at.name : 0]?.trim() ?? '';
    const first = isHead ? at.red : 1;
    const channels = first < 0 ? [] : row.slice(first, first + 3);
    if (name === '') return [];
    const isColor = channels.length === 3 && channels.every(isChannel);
    // `isColor` has checked that there are three channels.
    return [{ name, color: isColor ? (channels.map(Number) as unknown as Color) : vocColor(index) }];
  });
}

/** Reads Roboflow's `Pixel Value, Class`. Other tables with this file name are about whole images. */
function fromValues(lines: readonly string[]): LabelColor[] {
  const [head = [], ...rows] = lines.filter((line) => line.trim() !== '').map((line) => csvFields(line, ','));
  if (head[0]?.trim().toLowerCase() !== 'pixel value') return [];
  return byNumber(rows.map(([value = '', name = '']) => [Number(value.trim()), name.trim()] as const));
}

/** Reads VOC's `name:r,g,b:parts:actions`, or one name per line. */
function fromLines(lines: readonly string[]): LabelColor[] {
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line, index) => {
      const [, name = line, red, green, blue] = /^([^:]+):(?:(\d+),(\d+),(\d+))?:/.exec(line) ?? [];
      const color = [red, green, blue];
      return { name, color: color.every(isChannel) ? (color.map(Number) as unknown as Color) : vocColor(index) };
    });
}

/** Reads nnU-Net's `{"labels": {"background": 0, "car": 1}}`, and `label_map` or `segmentation_colors` of others. */
function fromJson(text: string): LabelColor[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  if (!isRecord(value)) return [];
  const { labels, label_map: map, segmentation_colors: colors } = value;
  const pairs = isRecord(map)
    ? Object.entries(map).map(([number, name]) => [Number(number), name] as const)
    : isRecord(labels)
      ? Object.entries(labels).map(([key, other]) =>
          typeof other === 'number' ? ([other, key] as const) : ([Number(key), other] as const),
        )
      : [];
  const list: LabelColor[] = [];
  for (const [number, name] of pairs) {
    if (!Number.isSafeInteger(number) || number < 0 || number > 65_535 || typeof name !== 'string') continue;
    const stated: unknown = Array.isArray(colors) ? colors[number] : undefined;
    const isColor = Array.isArray(stated) && stated.length === 3 && stated.every((one) => isChannel(String(one)));
    list[number] = { name, color: isColor ? (stated as unknown as Color) : vocColor(number) };
  }
  return withGaps(list);
}

/** Fills gaps between numbers with labels that are named by their number. */
const withGaps = (list: readonly (LabelColor | undefined)[]): LabelColor[] =>
  Array.from(list, (one, number) => one ?? { name: `${number}`, color: vocColor(number) });

function byNumber(pairs: readonly (readonly [value: number, name: string])[]): LabelColor[] {
  const list: LabelColor[] = [];
  for (const [number, name] of pairs)
    if (Number.isSafeInteger(number) && number >= 0 && number <= 65_535 && name !== '')
      list[number] = { name, color: vocColor(number) };
  return withGaps(list);
}

const files: readonly (readonly [RegExp, (text: string) => LabelColor[]])[] = [
  [/^_classes\.csv$/i, (text) => fromValues(splitLines(text))],
  [/^(labelmap|label_map|class_dict|classes|labels|palette)\.csv$/i, (text) => fromTable(splitLines(text))],
  [/^label_colors\.txt$/i, (text) => [...readLabelColors(splitLines(text)).labels]],
  [/^(labelmap|label_map|classes|labels|names|class_names)\.txt$/i, (text) => fromLines(splitLines(text))],
  [/^(dataset_meta|dataset|labels|classes)\.json$/i, fromJson],
];

const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Labels of a dataset by number, and the file that names them; undefined if there is none. */
export async function readLabels(source: Source): Promise<{ path: string; labels: readonly LabelColor[] } | undefined> {
  for (const [name, read] of files) {
    const found = source.entries
      .map(({ path }) => path)
      .filter((path) => name.test(baseOf(path)) && !isSystemFile(path));
    for (const path of found.toSorted((a, b) => a.length - b.length)) {
      const labels = read(decodeText(await source.read(path, maxBytes), path));
      if (labels.length > 0) return { path, labels: withBackground(labels) };
    }
  }
  return undefined;
}

const backgroundNames = /^(background|bg|_background_|void|unlabell?ed)$/i;

/** Pixel value 0 is background. A list that starts with an object counts from 1. */
function withBackground(labels: readonly LabelColor[]): readonly LabelColor[] {
  const [first] = labels;
  const isOfVoc = labels.every(({ color }, index) => color.join() === vocColor(index).join());
  const isBlack = !isOfVoc && first?.color.every((channel) => channel === 0) === true;
  if (first && (isBlack || backgroundNames.test(first.name))) return labels;
  const counted = isOfVoc ? labels.map(({ name }, index) => ({ name, color: vocColor(index + 1) })) : labels;
  return [{ name: backgroundName, color: [0, 0, 0] }, ...counted];
}
