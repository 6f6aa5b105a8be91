/**
 * JSON as models write it: Python's own writer puts NaN and Infinity where numbers are not finite, which are no JSON.
 * They become null.
 * @throws SyntaxError when it is no JSON otherwise
 */
export function parseTolerantJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (!/\b(NaN|Infinity)\b/.test(text)) throw error;
    return JSON.parse(withoutNonFinite(text)) as unknown;
  }
}

/** Texts are passed over: a label may be called "NaN". */
function withoutNonFinite(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g, (part) => (part.startsWith('"') ? part : 'null'));
}
