/**
 * Parses JSON from models. Python's json module writes NaN and Infinity, which are not valid JSON; they are preserved,
 * so that they differ from missing values.
 * @throws SyntaxError for otherwise invalid JSON
 */
export function parseTolerantJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (!/\b(NaN|Infinity)\b/.test(text)) throw error;
    return JSON.parse(withMarks(text), (_key, value: unknown) => nonFinite.get(value) ?? value) as unknown;
  }
}

/** Placeholder strings for these numbers during the parsing. */
const nonFinite = new Map<unknown, number>(
  [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].map((number) => [`\u0000${number}`, number]),
);

/** Skips strings, because a label may be called "NaN". */
function withMarks(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g, (part) =>
    part.startsWith('"') ? part : JSON.stringify(`\u0000${Number(part)}`),
  );
}
