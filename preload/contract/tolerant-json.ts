/**
 * JSON as models write it: Python's own writer puts NaN and Infinity where numbers are not finite, which are no JSON.
 * They stay what they are, so that a value that is not finite differs from one that is missing.
 * @throws SyntaxError when it is no JSON otherwise
 */
export function parseTolerantJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (!/\b(NaN|Infinity)\b/.test(text)) throw error;
    return JSON.parse(withMarks(text), (_key, value: unknown) => nonFinite.get(value) ?? value) as unknown;
  }
}

/** Texts that stand for the numbers while JSON is read. */
const nonFinite = new Map<unknown, number>(
  [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].map((number) => [`\u0000${number}`, number]),
);

/** Texts are passed over: a label may be called "NaN". */
function withMarks(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g, (part) =>
    part.startsWith('"') ? part : JSON.stringify(`\u0000${Number(part)}`),
  );
}
