import { isRecord } from '../../formats/kit/records.ts';
import type { ConfigurationSource } from './configuration-source.ts';
import { keyText, type ConfigurationFinding, type KeyPath } from './configuration-error.ts';

/** Collects problems (invalid) and warnings (ineffective), each with its location. */
export interface Findings {
  readonly problems: ConfigurationFinding[];
  readonly warnings: ConfigurationFinding[];
}

/**
 * Reads the keys of one mapping. Scalars may be strings, numbers or booleans, as in other YAML readers. `finish` warns
 * about keys that were never read.
 */
export interface FieldReader {
  readonly path: KeyPath;
  readonly keys: readonly string[];
  raw(key: string): unknown;
  /** Returns a string; numbers and booleans are converted. Undefined if the key is absent or null. */
  text(key: string): string | undefined;
  wholeNumber(key: string, least: number, most: number): number | undefined;
  truth(key: string): boolean | undefined;
  /** Returns an empty reader if the key is absent. */
  mapping(key: string): FieldReader;
  /** Returns the mappings of a list; empty if the key is absent. */
  mappings(key: string): FieldReader[];
  texts(key: string): string[];
  problem(key: string | number | null, message: string): void;
  warn(key: string | number | null, message: string): void;
  /** Warns about every unread key except `ignored`, which are known and have no effect here. */
  finish(ignored?: readonly string[]): void;
}

const kindOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a mapping' : JSON.stringify(value);
};

export function createFieldReader(source: ConfigurationSource, findings: Findings, path: KeyPath = []): FieldReader {
  let data: unknown = source.data;
  for (const key of path) data = isRecord(data) || Array.isArray(data) ? Reflect.get(data, key) : undefined;
  const read = new Set<string>();

  const finding = (at: KeyPath, message: string): ConfigurationFinding => ({
    file: source.file,
    line: source.lineOf(at),
    key: keyText(at),
    message,
  });
  const under = (key: string | number | null): KeyPath => (key === null ? path : [...path, key]);
  const problem = (key: string | number | null, message: string) =>
    void findings.problems.push(finding(under(key), message));
  const warn = (key: string | number | null, message: string) =>
    void findings.warnings.push(finding(under(key), message));

  if (data !== undefined && data !== null && !isRecord(data)) {
    problem(null, `Expected a mapping, got ${kindOf(data)}.`);
  }
  const record = isRecord(data) ? data : {};

  const raw = (key: string): unknown => {
    read.add(key);
    return Object.hasOwn(record, key) ? (record[key] ?? undefined) : undefined;
  };

  function text(key: string): string | undefined {
    const value = raw(key);
    if (value === undefined || typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    problem(key, `Expected a string, got ${kindOf(value)}.`);
    return undefined;
  }

  function list(key: string): readonly unknown[] {
    const value = raw(key);
    if (value === undefined || Array.isArray(value)) return value ?? [];
    problem(key, `Expected a list, got ${kindOf(value)}.`);
    return [];
  }

  return {
    path,
    keys: Object.keys(record),
    raw,
    text,
    wholeNumber(key, least, most) {
      const value = raw(key);
      if (value === undefined) return undefined;
      const number = typeof value === 'string' && /^\s*-?\d+\s*$/.test(value) ? Number(value) : value;
      if (typeof number === 'number' && Number.isSafeInteger(number) && number >= least && number <= most) {
        return number;
      }
      problem(key, `Expected an integer from ${least} to ${most}, got ${kindOf(value)}.`);
      return undefined;
    },
    truth(key) {
      const value = raw(key);
      if (value === undefined || typeof value === 'boolean') return value;
      if (typeof value === 'string' && /^(true|yes|on)$/i.test(value)) return true;
      if (typeof value === 'string' && /^(false|no|off|)$/i.test(value)) return false;
      problem(key, `Expected true or false, got ${kindOf(value)}.`);
      return undefined;
    },
    mapping(key) {
      read.add(key);
      return createFieldReader(source, findings, under(key));
    },
    mappings(key) {
      return list(key).map((_item, index) => createFieldReader(source, findings, [...path, key, index]));
    },
    texts: (key) =>
      list(key).flatMap((item, index) => {
        if (typeof item === 'string') return [item];
        if (typeof item === 'number') return [String(item)];
        findings.problems.push(finding([...path, key, index], `Expected a string, got ${kindOf(item)}.`));
        return [];
      }),
    problem,
    warn,
    finish(ignored = []) {
      const known = new Set([...read, ...ignored]);
      for (const key of Object.keys(record)) {
        if (!known.has(key)) warn(key, 'Unknown key; it has no effect.');
      }
    },
  };
}
