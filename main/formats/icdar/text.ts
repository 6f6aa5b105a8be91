import type { RgbColor } from '../../../preload/contract/colors.ts';
import type { Source } from '../io/source.ts';
import type { FormatReport } from '../kit/report.ts';
import type { Attribute, FileLabel, LabelInfo, TaskData } from '../kit/task-data.ts';

/** Label of all objects, because the files name none. */
export const icdarLabel = 'icdar';
export const textAttribute = 'text';
/** Attributes with the text of an object: CVAT's, and that of PaddleOCR and of models that read text. */
export const textAttributes: ReadonlySet<string> = new Set([textAttribute, 'transcription']);

export function icdarFileLabel(attributes: readonly string[]): FileLabel {
  return {
    name: icdarLabel,
    attributes: attributes.map((name): LabelInfo['attributes'][number] => ({
      name,
      mutable: false,
      input_type: 'text',
      default_value: '',
      values: [],
    })),
  };
}

interface Labelled {
  readonly label: string;
  readonly attributes: readonly Attribute[];
}

export function attributeOf({ attributes }: Labelled, name: string): string | undefined {
  return attributes.find((attribute) => attribute.name === name)?.value;
}

/** The object's text in one line, because rows are lines. */
export function textOf(object: Labelled, type: string, format: string, report: FormatReport): string | undefined {
  const [text] = [...textAttributes].flatMap((name) => attributeOf(object, name) ?? []);
  const line = text?.replaceAll(/[\r\n]+/g, ' ');
  if (line !== text) report.dropped(type, object.label, `${format} has one line per text: line ends became spaces.`);
  return line;
}

/** Reports that the label is dropped unless it is the one that all objects get on import. */
export function noteLabel({ label }: Labelled, type: string, format: string, report: FormatReport): void {
  if (label !== icdarLabel)
    report.dropped(type, label, `${format} has no labels: on import, objects get the label "${icdarLabel}".`);
}

/** Content of a quoted text, which may contain quotes; undefined if it is not quoted. */
export function unquoted(text: string): string | undefined {
  return /^"(.*)"$/s.exec(text.trim())?.[1];
}

export interface SubsetPlace {
  readonly subset: string;
  /** Path below the folder of the subset. */
  readonly rest: string;
}

/**
 * Decides which parent folder of a file is its subset: the one with a folder `images`, else one named like a subset of
 * the task, else the first. Extra outer folders are ignored.
 */
export function createSubsetPlaces(source: Source, task_data: TaskData): (path: string) => SubsetPlace {
  const withImages = new Set<string>();
  for (const { path } of source.entries) {
    const at = path.startsWith('images/') ? 0 : path.indexOf('/images/');
    if (at > 0) withImages.add(path.slice(0, at));
  }
  const subsets = new Set(Array.from(task_data.frames, ({ subset }) => subset));
  return (path) => {
    const folders = path.split('/').slice(0, -1);
    const place = (index: number): SubsetPlace => ({
      subset: folders[index] ?? 'default',
      rest: path
        .split('/')
        .slice(index + 1)
        .join('/'),
    });
    if (folders.length === 0) return { subset: 'default', rest: path };
    const byImages = folders.findIndex((_, index) => withImages.has(folders.slice(0, index + 1).join('/')));
    if (byImages >= 0) return place(byImages);
    return place(
      Math.max(
        0,
        folders.findIndex((folder) => subsets.has(folder)),
      ),
    );
  };
}

/** A row of a character: its color in the mask image, its center as text, and its text. */
export interface CharacterRow {
  readonly color: RgbColor;
  /** Two numbers as text; `- -` if unknown. */
  readonly center: string;
  readonly text: string;
}

export const unknownCenter = '- -';

/** Parses a color of three numbers separated by spaces; undefined if invalid. */
export function readColor(text: string): RgbColor | undefined {
  const channels = text.trim().split(/\s+/);
  if (channels.length !== 3 || !channels.every((channel) => /^\d{1,3}$/.test(channel) && Number(channel) <= 255))
    return undefined;
  const [red = 0, green = 0, blue = 0] = channels.map(Number);
  return [red, green, blue];
}

/** Color, center and box: nine words. */
const numbersOfRow = /^(?:\S+\s+){8}\S+(?=\s|$)/;

/** Reads a row, or returns the reason why it cannot. Undefined for a comment line. */
export function readCharacterRow(line: string): CharacterRow | string | undefined {
  const text = line.trim();
  const isMarked = text.startsWith('#');
  const row = isMarked ? text.slice(1).trimStart() : text;
  const words = numbersOfRow.exec(row)?.[0];
  const [red, green, blue, x, y] = words?.split(/\s+/) ?? [];
  const color = words === undefined ? undefined : readColor(`${red} ${green} ${blue}`);
  if (words === undefined || !color) {
    if (isMarked) return undefined;
    return 'a row must have a color of three numbers, a center of two, a box of four, and a character in quotes';
  }
  const stated = row.slice(words.length).trim();
  // A leading mark means that the character is a space.
  return { color, center: `${x} ${y}`, text: isMarked ? ' ' : (unquoted(stated) ?? stated) };
}

export function characterRow({ color, center, text }: CharacterRow, box: readonly number[]): string {
  return `${text === ' ' ? '#' : ''}${[...color, center, ...box].join(' ')} "${text}"\n`;
}
