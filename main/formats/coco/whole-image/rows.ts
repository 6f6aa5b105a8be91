import type { JsonWriter } from '../../io/json-writer.ts';
import type { FormatReport } from '../../kit/report.ts';
import { brief, RecordError } from '../../kit/records.ts';
import type { FileLabel, Tag } from '../../kit/task-data.ts';
import type { CocoTables } from '../coco-tables.ts';
import type { CocoCategory } from '../write-annotation.ts';

/** What the rows of a file about whole images say of them. */
export interface RowKind {
  /** The format's name, for sentences. */
  readonly format: string;
  /** Name of the annotation files, before `_<subset>.json`. */
  readonly filePrefix: string;
  /** The tables of the file that the rows refer to. */
  readonly tables: readonly ('images' | 'categories')[];
  /** Members of a row beside its `id`, its `image_id` and its `attributes`. */
  readonly members: readonly string[];
  /** A label that the files do not state, as a project gets it. */
  readonly ownLabel?: FileLabel;
  /** The tag of a row, without its frame. Throws `RecordError` for a row that says nothing. */
  read(
    row: Readonly<Record<string, unknown>>,
    tables: CocoTables,
    own: string,
    report: FormatReport,
  ): Pick<Tag, 'label' | 'attributes'>;
  /** Why a tag has no row, or undefined. */
  problemOf(tag: Tag, category: CocoCategory | undefined): string | undefined;
  /** Writes the row's own members with a comma first; gives the attributes that are left for `attributes`. */
  write(json: JsonWriter, tag: Tag, category: CocoCategory | undefined, report: FormatReport): Tag['attributes'];
}

const captionName = 'caption';

const captionLabel: FileLabel = {
  name: captionName,
  attributes: [{ name: captionName, mutable: false, input_type: 'text', default_value: '', values: [] }],
};

const captionOf = ({ attributes }: Pick<Tag, 'attributes'>): string =>
  attributes.find(({ name }) => name === captionName)?.value ?? '';

/** Sentences about images: a tag for each, whose attribute "caption" is the sentence. */
export const captionRows: RowKind = {
  format: 'COCO Captions',
  filePrefix: 'captions',
  tables: ['images'],
  members: [captionName, 'category_id'],
  ownLabel: captionLabel,
  read({ caption, category_id: category }, { labels }, own, report) {
    if (typeof caption !== 'string' || caption === '')
      throw new RecordError(captionName, `must be a text, but is ${brief(caption === '' ? undefined : caption)}`);
    const named = labels.get(category);
    if (named) report.lost('tag', own, `A caption has no category of its own here: "${named.name}" was left out.`);
    return { label: own, attributes: [{ name: captionName, value: caption }] };
  },
  problemOf: (tag) =>
    captionOf(tag) === ''
      ? `COCO Captions has texts only, and the tag has none in an attribute "${captionName}".`
      : undefined,
  write(json, tag, _category, report) {
    json.ascii(',"caption":');
    json.string(captionOf(tag));
    if (tag.label !== captionName)
      report.lost('tag', tag.label, `COCO Captions has no labels: what is read gets the label "${captionName}".`);
    return tag.attributes.filter(({ name }) => name !== captionName);
  },
};

/** Categories of whole images: a tag for each. */
export const labelRows: RowKind = {
  format: 'COCO Labels',
  filePrefix: 'labels',
  tables: ['images', 'categories'],
  members: ['category_id'],
  read({ category_id: id }, { labels }) {
    const label = labels.get(id) ?? labels.get(typeof id === 'string' ? Number(id) : String(id));
    if (!label) throw new RecordError('category_id', `is ${brief(id)}, which no entry of "categories" has`);
    return { label: label.name, attributes: [] };
  },
  problemOf: (_tag, category) => (category ? undefined : 'The label is not one of the task.'),
  write(json, { attributes }, category) {
    json.ascii(`,"category_id":${category?.id ?? 0}`);
    return attributes;
  },
};
