/** Parsed message of the service about a configuration: `function.yaml, line 12, spec.handler: …`. */
export interface Finding {
  readonly file: string;
  /** Counted from 1; null if the message names none. */
  readonly line: number | null;
  /** Empty for the complete file. */
  readonly key: string;
  readonly message: string;
}

const placed = /^([^:\n]+?)(?:, line (\d+))?(?:, ((?:metadata|spec)[^\s,:]*|[\w-]+(?:\.[\w[\]-]+)*))?: ([\s\S]+)$/;

/** Null for a message without line and key. */
export function findingOf(sentence: string): Finding | null {
  const [, file, line, key, message] = placed.exec(sentence) ?? [];
  if (file === undefined || message === undefined || (line === undefined && key === undefined)) return null;
  return { file, line: line === undefined ? null : Number(line), key: key ?? '', message };
}

export const linesOf = (sentences: readonly string[]): number[] =>
  sentences.map((sentence) => findingOf(sentence)?.line ?? null).filter((line) => line !== null);
