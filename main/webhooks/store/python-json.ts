/**
 * JSON exactly as Python's `json.dumps` writes it by default: separators `", "` and `": "`, non-ASCII as `\uXXXX`.
 * Receivers that compare bodies get the same bytes. The text is ASCII, so characters equal bytes. Values without a JSON
 * form are treated as by `JSON.stringify`.
 */
export function pythonJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return quoted(value);
    case 'number':
      return Number.isFinite(value) ? String(value) : 'null';
    case 'boolean':
    case 'bigint':
      return String(value);
    case 'object':
      return value === null ? 'null' : structure(value);
    default:
      return 'null';
  }
}

function structure(value: object): string {
  if (Array.isArray(value)) return list(value);
  if (value instanceof Date) return quoted(value.toISOString());
  let text = '{';
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined || typeof item === 'function') continue;
    text += `${text.length > 1 ? ', ' : ''}${quoted(key)}: ${pythonJson(item)}`;
  }
  return `${text}}`;
}

function list(items: readonly unknown[]): string {
  let text = '[';
  for (let index = 0; index < items.length; index += 1) text += `${index > 0 ? ', ' : ''}${pythonJson(items[index])}`;
  return `${text}]`;
}

/** Printable ASCII without quotation mark and backslash. */
const plain = /^[ !#-[\]-~]*$/;

function quoted(text: string): string {
  if (plain.test(text)) return `"${text}"`;
  return JSON.stringify(text).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
