/** Tokens of the Protocol Buffers text format: strings, names with their numbers, brackets. Comments are skipped. */
const token = /#[^\n]*|("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|([A-Za-z_][\w.]*|[-+]?\d+)|([{}<>])/g;
const escape = /\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|(.))/g;
const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Content of a quoted string. Protocol Buffers escapes each byte of a letter that is not ASCII. */
function unquoted(text: string): string {
  const parts: Buffer[] = [];
  let at = 1;
  for (const found of text.matchAll(escape)) {
    const [whole, octal, hexadecimal, letter = ''] = found;
    parts.push(Buffer.from(text.slice(at, found.index)));
    const code = octal === undefined ? hexadecimal && Number.parseInt(hexadecimal, 16) : Number.parseInt(octal, 8);
    parts.push(typeof code === 'number' ? Buffer.from([code & 255]) : Buffer.from(controls[letter] ?? letter));
    at = found.index + whole.length;
  }
  return Buffer.concat([...parts, Buffer.from(text.slice(at, -1))]).toString('utf8');
}

/** Class names of a `label_map.pbtxt` with their numbers. */
export function readLabelMapText(text: string): (readonly [id: number, name: string])[] {
  const classes: (readonly [number, string])[] = [];
  let depth = 0;
  let field = '';
  let item: { id?: number; name?: string; display_name?: string } = {};
  for (const [, string, word, bracket] of text.matchAll(token)) {
    if (bracket === '{' || bracket === '<') {
      depth += 1;
      if (depth === 1) item = {};
    } else if (bracket !== undefined) {
      depth -= 1;
      const name = item.name ?? item.display_name;
      if (depth === 0 && item.id !== undefined && name !== undefined) classes.push([item.id, name]);
    } else if (depth === 1 && string !== undefined && (field === 'name' || field === 'display_name'))
      item[field] = unquoted(string);
    else if (depth === 1 && word !== undefined && field === 'id' && /^\d+$/.test(word)) item.id = Number(word);
    field = word ?? '';
  }
  return classes;
}
