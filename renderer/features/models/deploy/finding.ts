/** A sentence of the service about a configuration, taken apart: `function.yaml, line 12, spec.handler: …`. */
export interface Finding {
  readonly file: string;
  /** Counted from 1; null where the sentence names none. */
  readonly line: number | null;
  /** Empty for the file as a whole. */
  readonly key: string;
  readonly message: string;
}

const placed = /^([^:\n]+?)(?:, line (\d+))?(?:, ((?:metadata|spec)[^\s,:]*|[\w-]+(?:\.[\w[\]-]+)*))?: ([\s\S]+)$/;

/** Null for a sentence that names neither a line nor a key. */
export function findingOf(sentence: string): Finding | null {
  const [, file, line, key, message] = placed.exec(sentence) ?? [];
  if (file === undefined || message === undefined || (line === undefined && key === undefined)) return null;
  return { file, line: line === undefined ? null : Number(line), key: key ?? '', message };
}

/** Lines that the sentences name, for the editor. */
export const linesOf = (sentences: readonly string[]): number[] =>
  sentences.map((sentence) => findingOf(sentence)?.line ?? null).filter((line) => line !== null);
