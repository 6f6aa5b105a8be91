import { LineCounter, parseDocument, isNode, isCollection, isPair, isScalar, type Document } from 'yaml';
import { ConfigurationError, type KeyPath } from './configuration-error.ts';

/** An unvalidated configuration: plain data and the line of each key. */
export interface ConfigurationSource {
  readonly file: string;
  readonly data: unknown;
  /** Line of the key at this path or of its nearest ancestor; null if there is no text. */
  readonly lineOf: (path: KeyPath) => number | null;
  /** First line of the value at this path; below its key for block scalars. */
  readonly valueLineOf: (path: KeyPath) => number | null;
}

/** The longest shipped configuration, with its skeletons, has about 60 kB. */
const maxTextLength = 4 * 1024 * 1024;
/** More anchor uses could expand a small file without bounds. */
const maxAliasCount = 100;

/**
 * Reads YAML or JSON. The text is untrusted: aliases are limited and nothing is executed.
 * @throws ConfigurationError with the line of the mistake
 */
export function readConfigurationText(text: string, file = 'function.yaml'): ConfigurationSource {
  const fail = (message: string, line: number | null = null) =>
    new ConfigurationError([{ file, line, key: '', message }]);
  if (text.length > maxTextLength) throw fail('The file is larger than 4 MiB, the limit for a configuration.');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, merge: true, prettyErrors: false, logLevel: 'silent' });
  const [error] = document.errors;
  if (error) throw fail(`This is not valid YAML: ${error.message}`, lines.linePos(error.pos[0]).line);
  let data: unknown;
  try {
    data = document.toJS({ maxAliasCount });
  } catch (cause) {
    throw fail(`The file cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  const lineAt = (offset: number | undefined) => (offset === undefined ? null : lines.linePos(offset).line);
  return {
    file,
    data,
    lineOf: (path) => lineAt(keyOffset(document, path)),
    valueLineOf(path) {
      const node: unknown = document.getIn(path, true);
      const line = lineAt(offsetOf(node));
      const isBlock = isScalar(node) && (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED');
      return line !== null && isBlock ? line + 1 : line;
    },
  };
}

/** Wraps a configuration that is data already, from the store or the API. */
export function plainConfiguration(data: unknown, file = 'configuration'): ConfigurationSource {
  return { file, data, lineOf: () => null, valueLineOf: () => null };
}

function keyOffset(document: Document, path: KeyPath): number | undefined {
  let node: unknown = document.contents;
  let offset = offsetOf(node);
  for (const key of path) {
    if (!isCollection(node)) return offset;
    const item: unknown = node.items.find(
      (one, index) =>
        (typeof key === 'number' && index === key) ||
        (isPair(one) && isScalar(one.key) && String(one.key.value) === String(key)),
    );
    if (item === undefined) return offset;
    const next: unknown = isPair(item) ? item.key : item;
    offset = offsetOf(next) ?? offset;
    node = isPair(item) ? item.value : item;
  }
  return offset;
}

const offsetOf = (node: unknown): number | undefined => (isNode(node) ? node.range?.[0] : undefined);
