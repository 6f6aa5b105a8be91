/**
 * Parses a Python literal from exporter metadata: strings, numbers, True, False, None, lists, tuples and dicts. Nothing
 * is evaluated. Undefined for other input.
 */
export function readPythonLiteral(text: string): unknown {
  const state = { text, at: 0, depth: 0 };
  try {
    const value = readValue(state);
    skipSpace(state);
    return state.at === text.length ? value : undefined;
  } catch (error) {
    if (error instanceof NoLiteral) return undefined;
    throw error;
  }
}

class NoLiteral extends Error {}

interface State {
  readonly text: string;
  at: number;
  depth: number;
}

const maxDepth = 16;
const words: Readonly<Record<string, unknown>> = { True: true, False: false, None: null };
const closings: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}' };
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', "'": "'", '"': '"' };

function skipSpace(state: State): void {
  while (/\s/.test(state.text[state.at] ?? '')) state.at += 1;
}

function readValue(state: State): unknown {
  skipSpace(state);
  const first = state.text[state.at] ?? '';
  if (first === "'" || first === '"') return readText(state, first);
  if (first in closings) return readMany(state, first);
  const [token = ''] = /^[-+.\w]+/.exec(state.text.slice(state.at, state.at + 64)) ?? [];
  state.at += token.length;
  if (token in words) return words[token];
  if (token === '' || !Number.isFinite(Number(token))) throw new NoLiteral();
  return Number(token);
}

function readText(state: State, quote: string): string {
  let read = '';
  for (state.at += 1; state.at < state.text.length; state.at += 1) {
    const letter = state.text[state.at] ?? '';
    if (letter === quote) {
      state.at += 1;
      return read;
    }
    if (letter !== '\\') {
      read += letter;
      continue;
    }
    state.at += 1;
    const [code = ''] = /^(?:x[\da-fA-F]{2}|u[\da-fA-F]{4})/.exec(state.text.slice(state.at, state.at + 5)) ?? [];
    if (code === '') read += escapes[state.text[state.at] ?? ''] ?? `\\${state.text[state.at] ?? ''}`;
    else {
      read += String.fromCharCode(Number.parseInt(code.slice(1), 16));
      state.at += code.length - 1;
    }
  }
  throw new NoLiteral();
}

/** A dict becomes a Map, because its keys may be numbers. */
function readMany(state: State, opening: string): unknown[] | Map<unknown, unknown> {
  state.depth += 1;
  if (state.depth > maxDepth) throw new NoLiteral();
  const closing = closings[opening];
  const list: unknown[] = [];
  const map = new Map<unknown, unknown>();
  state.at += 1;
  for (;;) {
    skipSpace(state);
    if (state.text[state.at] === closing) break;
    const value = readValue(state);
    skipSpace(state);
    if (opening === '{' && state.text[state.at] === ':') {
      state.at += 1;
      map.set(value, readValue(state));
      skipSpace(state);
    } else list.push(value);
    if (state.text[state.at] === ',') state.at += 1;
    else if (state.text[state.at] !== closing) throw new NoLiteral();
  }
  state.at += 1;
  state.depth -= 1;
  return opening === '{' ? map : list;
}
