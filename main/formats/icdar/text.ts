import type { Source } from '../io/source.ts';
import type { FormatReport } from '../kit/report.ts';
import type { Attribute, FileLabel, LabelInfo, TaskData } from '../kit/task-data.ts';

/** The label of all objects: the files name none. */
export const icdarLabel = 'icdar';
export const textAttribute = 'text';

/** The label as a project gets it that does not have it. */
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

/** The object's text, on one line as rows need it. */
export function textOf(object: Labelled, type: string, format: string, report: FormatReport): string | undefined {
  const text = attributeOf(object, textAttribute);
  const line = text?.replaceAll(/[\r\n]+/g, ' ');
  if (line !== text) report.lost(type, object.label, `${format} has texts on one line: line ends became spaces.`);
  return line;
}

/** Says that a label other than the one that all objects get is not written. */
export function noteLabel({ label }: Labelled, type: string, format: string, report: FormatReport): void {
  if (label !== icdarLabel)
    report.lost(type, label, `${format} has no labels: what is read gets the label "${icdarLabel}".`);
}

/** The inside of a text in quotes, which may have quotes of its own; undefined for one without. */
export function unquoted(text: string): string | undefined {
  return /^"(.*)"$/s.exec(text.trim())?.[1];
}

export interface SubsetPlace {
  readonly subset: string;
  /** Path below the subset's folder. */
  readonly rest: string;
}

/**
 * Tells which folder above a file is its subset: the one that has a folder `images`, else the one that is called as a
 * subset of the task, else the first. Extra folders around everything do no harm.
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
