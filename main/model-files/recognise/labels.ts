import { readPythonLiteral } from '../onnx/python-literal.ts';
import type { ReadConfigurations } from '../configurations/configuration.ts';
import type { Evidence } from './evidence.ts';
import { cocoCategories, cocoKeypoints, cocoLabels, numbered } from './known.ts';
import { ask } from './reading.ts';

const maxLabels = 100_000;
/** Metadata keys in which exporters write label names. */
const keys = ['names', 'labels', 'classes', 'class_names', 'character'] as const;

/** Labels of the metadata in their order; null if there are none. */
export function labelsInFile({ facts: { metadata } }: Evidence): string[] | null {
  for (const key of keys) {
    const found = key === 'character' ? linesOf(metadata[key]) : parsed(metadata[key]);
    if (found !== null) return found;
  }
  return null;
}

/** Characters of a text recognition: of its metadata, else of a file beside it; null if there are none. */
export const dictionaryOf = (
  { metadata }: Pick<Evidence['facts'], 'metadata'>,
  { configurations }: ReadConfigurations,
): string[] | null => {
  const beside = configurations.find(({ labels, otherFile }) => labels !== null && otherFile === null)?.labels;
  return linesOf(metadata['character']) ?? (beside ? [...beside] : null);
};

function linesOf(text: string | undefined): string[] | null {
  const lines = (text ?? '').split('\n').filter(Boolean);
  return lines.length === 0 ? null : lines;
}

function parsed(text: string | undefined): string[] | null {
  const plain = text?.replace(/^OrderedDict\((.*)\)$/s, '$1');
  const names = plain === undefined ? undefined : readPythonLiteral(plain);
  if (names instanceof Map) {
    // JSON has no keys that are numbers.
    const byNumber = new Map([...names].map(([key, name]) => [Number(key), String(name)]));
    const count = Math.max(...byNumber.keys()) + 1;
    if (!Number.isInteger(count) || count < 1 || count > maxLabels) return null;
    return Array.from({ length: count }, (_, index) => byNumber.get(index) || `label ${index}`);
  }
  if (!Array.isArray(names) || names.length === 0 || names.length > maxLabels) return null;
  return names.map((name, index) => String(name) || `label ${index}`);
}

interface Names {
  readonly labels: string[];
  readonly reasons: string[];
  readonly questions: ReturnType<typeof ask>[];
}

const cocoQuestion = 'The file does not contain its labels. COCO’s are used unless you change them.';

/** Labels of the metadata if their number fits, else offered ones with a question. */
export function namesFor(evidence: Evidence, count: number | null): Names {
  const own = labelsInFile(evidence);
  if (own !== null && (count === null || own.length === count)) {
    return { labels: own, reasons: [`The labels (${own.length}) come from the file's metadata.`], questions: [] };
  }
  const { fileName = '', labels: beside = null } = evidence.labelsBeside ?? {};
  if (own === null && beside !== null && (count === null || beside.length === count)) {
    const reasons = [`The labels (${beside.length}) come from "${fileName}".`];
    return { labels: [...beside], reasons, questions: [] };
  }
  if (count === 80) {
    return {
      labels: [...cocoLabels],
      reasons: ['80 labels, as many as COCO has.'],
      questions: [ask('labels', cocoQuestion)],
    };
  }
  if (count === 91) {
    return {
      labels: cocoCategories(),
      reasons: ['91 labels, as many as COCO has category ids.'],
      questions: [ask('labels', cocoQuestion)],
    };
  }
  const words =
    count === null
      ? 'The file contains neither the labels nor their number. Enter them in their order.'
      : `The file does not contain the names of its ${count} labels. Enter them in their order.`;
  const labels = numbered(Math.min(10_000, count ?? 1));
  return { labels, reasons: [], questions: [ask('labels', words)] };
}

/** Names of skeleton points: those of the metadata, or COCO's for 17. */
export function pointsFor(
  evidence: Evidence,
  count: number,
): { points: string[]; question: ReturnType<typeof ask> | null } {
  const text = evidence.facts.metadata['kpt_names'];
  const read = text === undefined ? undefined : readPythonLiteral(text);
  const first = read instanceof Map ? [...read.values()][0] : read;
  if (Array.isArray(first) && first.length === count) return { points: first.map(String), question: null };
  if (count === cocoKeypoints.length) {
    return {
      points: [...cocoKeypoints],
      question: ask('points', 'The names of the 17 points are assumed to be COCO’s.'),
    };
  }
  const words = `The file does not contain the names of its ${count} points. Check them on an image.`;
  return { points: numbered(Math.min(1000, count), 'point'), question: ask('points', words) };
}
