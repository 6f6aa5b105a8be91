import { readXml } from '../io/xml-reader.ts';
import type { FileLabel, LabelInfo } from '../kit/task-data.ts';

type Fields = Record<string, string>;
type FileAttribute = LabelInfo['attributes'][number];

interface OpenLabel {
  readonly fields: Fields;
  readonly attributes: FileAttribute[];
}

/** Stops the parser after `meta`, because labels are only there. */
class EndOfMeta extends Error {}

/** Reads labels, sublabels and subsets from the `meta` element of a CVAT file and stops after it. */
export async function readCvatMeta(
  input: AsyncIterable<Uint8Array>,
): Promise<{ readonly labels: readonly FileLabel[]; readonly subsets: readonly string[] }> {
  const labels: OpenLabel[] = [];
  const subsets = new Set<string>();
  let label: OpenLabel | undefined;
  let attribute: Fields | undefined;
  let text = '';
  const keep = (name: string): void => {
    const target = attribute ?? label?.fields;
    if (target) target[name] = text.trim();
  };
  try {
    await readXml(input, {
      open(name, _attributes, { depth }) {
        text = '';
        if (depth === 2 && name !== 'meta' && name !== 'version') throw new EndOfMeta();
        if (name === 'label') label = { fields: {}, attributes: [] };
        else if (name === 'attribute' && label) attribute = {};
      },
      text(piece) {
        text += piece;
      },
      close(name, { depth }) {
        if (depth === 2 && name === 'meta') throw new EndOfMeta();
        if (name === 'label' && label) {
          labels.push(label);
          label = undefined;
        } else if (name === 'attribute' && attribute) {
          label?.attributes.push(attributeOf(attribute));
          attribute = undefined;
        } else if (name === 'subset' || name === 'subsets') {
          for (const subset of text.split('\n')) if (subset.trim() !== '') subsets.add(subset.trim());
        } else if (name !== 'attributes') keep(name);
        text = '';
      },
    });
  } catch (error) {
    if (!(error instanceof EndOfMeta)) throw error;
  }
  return { labels: assemble(labels), subsets: [...subsets] };
}

const inputTypes: ReadonlySet<string> = new Set(['checkbox', 'radio', 'number', 'text', 'select']);

function attributeOf({ name = '', mutable, input_type = '', default_value = '', values = '' }: Fields): FileAttribute {
  return {
    name,
    mutable: mutable?.toLowerCase() === 'true',
    input_type: inputTypes.has(input_type) ? input_type : 'text',
    default_value,
    values: values === '' ? [] : values.split('\n').map((value) => value.trim()),
  };
}

/** A project file lists its labels for the project and again for each task. The first of each name is used. */
function assemble(found: readonly OpenLabel[]): FileLabel[] {
  const parents = new Map<string, FileLabel & { sublabels: LabelInfo[] }>();
  for (const { fields, attributes } of found) {
    const { name = '', color, type, svg, parent } = fields;
    if (name === '') continue;
    const known = { name, attributes, color: color || undefined, svg: svg || undefined };
    if (parent === undefined || parent === '') {
      if (!parents.has(name)) parents.set(name, { ...known, type, sublabels: [] });
      continue;
    }
    const siblings = parents.get(parent)?.sublabels;
    if (siblings && !siblings.some((sibling) => sibling.name === name)) {
      siblings.push({ ...known, color: color ?? '', type: type ?? 'points', sublabels: [] });
    }
  }
  return [...parents.values()];
}
