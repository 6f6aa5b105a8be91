import { inputTypes, labelTypes, type InputType, type LabelType } from '../../../preload/contract/schema/labels.ts';
import { isRecord } from '../../formats/kit/records.ts';
import { sanitizeSkeletonSvg } from './skeleton-svg.ts';

export interface ModelAttribute {
  readonly name: string;
  readonly input_type: InputType;
  readonly values: string[];
}

export type ModelLabelType = Exclude<LabelType, 'interval'>;

export interface ModelLabel {
  readonly name: string;
  readonly type: ModelLabelType;
  readonly attributes: ModelAttribute[];
  readonly sublabels?: ModelLabel[];
  readonly svg?: string;
}

/** A problem in the label list. `line` is 1-based within its text. */
interface LabelProblem {
  readonly line: number;
  readonly message: string;
}

interface Notes {
  readonly problems: LabelProblem[];
  readonly warnings: LabelProblem[];
}

/** Parses the annotation `spec` of a detector, a JSON array of labels. An empty text has no labels. */
export function parseModelLabels(text: string): Notes & { readonly labels: readonly ModelLabel[] } {
  const notes: Notes = { problems: [], warnings: [] };
  if (text.trim() === '' || text.trim() === 'null') return { labels: [], ...notes };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    notes.problems.push(syntaxProblem(text, error));
    return { labels: [], ...notes };
  }
  if (!Array.isArray(value)) {
    notes.problems.push({ line: 1, message: 'The labels must be a JSON array of objects such as {"name": "car"}.' });
    return { labels: [], ...notes };
  }
  const lines = lineFinder(text);
  const labels = value.flatMap((item, index) => readLabel(item, `label ${index + 1}`, lines, notes) ?? []);
  checkDistinct(labels, 'label', lines, notes);
  return { labels, ...notes };
}

function readLabel(item: unknown, place: string, lines: LineFinder, notes: Notes): ModelLabel | null {
  const problem = (message: string, name?: string) =>
    void notes.problems.push({ line: name === undefined ? 1 : lines(name), message });
  if (!isRecord(item) || typeof item['name'] !== 'string' || item['name'] === '') {
    problem(`The ${place} has no name.`);
    return null;
  }
  const { name } = item;
  const type = labelType(item['type']);
  if (type === null) {
    problem(`Label "${name}" has the unknown type ${JSON.stringify(item['type'])}.`, name);
    return null;
  }
  const attributes = listOf(item['attributes']).flatMap((one) => readAttribute(one, name, problem) ?? []);
  const repeated = repeatedName(attributes);
  if (repeated !== undefined) problem(`Label "${name}" has two attributes named "${repeated}".`, name);
  if (type !== 'skeleton') return { name, type, attributes };
  const sublabels = listOf(item['sublabels']).flatMap(
    (one, index) => readLabel(one, `sublabel ${index + 1} of "${name}"`, lines, notes) ?? [],
  );
  if (sublabels.length === 0) problem(`Skeleton "${name}" has no sublabels.`, name);
  checkDistinct(sublabels, `sublabel of "${name}"`, lines, notes);
  return { name, type, attributes, sublabels, svg: readSvg(item['svg'], name, lines, notes) };
}

/** Absent and the older "unknown" match every label type of a task. */
function labelType(value: unknown): ModelLabelType | null {
  if (value === undefined || value === null || value === '' || value === 'unknown') return 'any';
  const known = labelTypes.find((type) => type === value);
  return known === undefined || known === 'interval' ? null : known;
}

function readAttribute(
  item: unknown,
  label: string,
  problem: (message: string, name?: string) => void,
): ModelAttribute | null {
  if (!isRecord(item) || typeof item['name'] !== 'string' || item['name'] === '') {
    problem(`An attribute of label "${label}" has no name.`, label);
    return null;
  }
  const inputType = inputTypes.find((type) => type === item['input_type']);
  if (inputType === undefined || !Array.isArray(item['values'])) {
    problem(
      `Attribute "${item['name']}" of label "${label}" needs "input_type" (${inputTypes.join(', ')}) and "values".`,
      label,
    );
    return null;
  }
  return { name: item['name'], input_type: inputType, values: item['values'].map(String) };
}

function readSvg(value: unknown, name: string, lines: LineFinder, notes: Notes): string {
  if (typeof value !== 'string' || value.trim() === '') {
    notes.problems.push({ line: lines(name), message: `Skeleton "${name}" has no "svg" drawing.` });
    return '';
  }
  try {
    const { svg, removed } = sanitizeSkeletonSvg(value);
    if (removed.length > 0) {
      const what = removed.slice(0, 5).join(', ');
      notes.warnings.push({
        line: lines(name),
        message: `The drawing of skeleton "${name}" contains more than lines and circles; removed: ${what}.`,
      });
    }
    return svg;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    notes.problems.push({ line: lines(name), message: `The drawing of skeleton "${name}" cannot be read: ${reason}` });
    return '';
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const repeatedName = (items: readonly { readonly name: string }[]): string | undefined =>
  items.map(({ name }) => name).find((name, index, all) => all.indexOf(name) !== index);

function checkDistinct(
  items: readonly { readonly name: string }[],
  what: string,
  lines: LineFinder,
  notes: Notes,
): void {
  const repeated = repeatedName(items);
  if (repeated === undefined) return;
  notes.problems.push({ line: lines(repeated), message: `The ${what} "${repeated}" is defined twice.` });
}

type LineFinder = (name: string) => number;

/** Finds the line of a name by text search; an approximation. */
function lineFinder(text: string): LineFinder {
  return (name) => {
    const offset = text.lastIndexOf(JSON.stringify(name));
    return offset < 0 ? 1 : lineAt(text, offset);
  };
}

function syntaxProblem(text: string, error: unknown): LabelProblem {
  const message = error instanceof Error ? error.message : String(error);
  const position = /at position (\d+)/.exec(message)?.[1];
  const line = position === undefined ? text.trimEnd().split('\n').length : lineAt(text, Number(position));
  const hasTrailingComma = /,\s*[\]}]/.test(text);
  return {
    line,
    message: `The labels are not valid JSON${hasTrailingComma ? ' (a comma before a closing bracket)' : ''}: ${message}`,
  };
}

const lineAt = (text: string, offset: number) => text.slice(0, offset).split('\n').length;
