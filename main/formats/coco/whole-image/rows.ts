import type { JsonWriter } from '../../io/json-writer.ts';
import type { FormatReport } from '../../kit/report.ts';
import { brief, RecordError } from '../../kit/records.ts';
import type { FileLabel, Tag } from '../../kit/task-data.ts';
import type { CocoTables } from '../coco-tables.ts';
import type { CocoCategory } from '../write-annotation.ts';

export interface RowKind {
  readonly format: string;
  readonly filePrefix: string;
  /** Tables that the rows refer to. */
  readonly tables: readonly ('images' | 'categories')[];
  /** Members of a row other than `id`, `image_id` and `attributes`. */
  readonly members: readonly string[];
  /** Label for a new project, if the files state none. */
  readonly ownLabel?: FileLabel;
  /** Reads a row as a tag without a frame. Throws `RecordError` for an empty row. */
  read(
    row: Readonly<Record<string, unknown>>,
    tables: CocoTables,
    own: string,
    report: FormatReport,
  ): Pick<Tag, 'label' | 'attributes'>;
  problemOf(tag: Tag, category: CocoCategory | undefined): string | undefined;
  /** Writes the row's members with a leading comma; returns the remaining attributes for `attributes`. */
  write(json: JsonWriter, tag: Tag, category: CocoCategory | undefined, report: FormatReport): Tag['attributes'];
}

const captionName = 'caption';

const captionLabel: FileLabel = {
  name: captionName,
  attributes: [{ name: captionName, mutable: false, input_type: 'text', default_value: '', values: [] }],
};

const captionOf = ({ attributes }: Pick<Tag, 'attributes'>): string =>
  attributes.find(({ name }) => name === captionName)?.value ?? '';

/** Image captions: one tag per caption, with the text in the attribute "caption". */
export const captionRows: RowKind = {
  format: 'COCO Captions',
  filePrefix: 'captions',
  tables: ['images'],
  members: [captionName, 'category_id'],
  ownLabel: captionLabel,
  read({ caption, category_id: category }, { labels }, own, report) {
    if (typeof caption !== 'string' || caption === '')
      throw new RecordError(captionName, `must be a string, but is ${brief(caption === '' ? undefined : caption)}`);
    const named = labels.get(category);
    if (named) report.dropped('tag', own, `A caption has no category: "${named.name}" was left out.`);
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
      report.dropped(
        'tag',
        tag.label,
        `COCO Captions has no labels: on import, objects get the label "${captionName}".`,
      );
    return tag.attributes.filter(({ name }) => name !== captionName);
  },
};

/** Image categories: one tag each. */
export const labelRows: RowKind = {
  format: 'COCO Labels',
  filePrefix: 'labels',
  tables: ['images', 'categories'],
  members: ['category_id'],
  read({ category_id: id }, { labels }) {
    const label = labels.get(id) ?? labels.get(typeof id === 'string' ? Number(id) : String(id));
    if (!label) throw new RecordError('category_id', `is ${brief(id)}, which is not in "categories"`);
    return { label: label.name, attributes: [] };
  },
  problemOf: (_tag, category) => (category ? undefined : 'The label is not one of the task.'),
  write(json, { attributes }, category) {
    json.ascii(`,"category_id":${category?.id ?? 0}`);
    return attributes;
  },
};
