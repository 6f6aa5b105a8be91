import type { BuildConfiguration, Directive } from '../../configuration/parse-build.ts';

/** A text with its variables expanded, as Docker does before it runs a directive. */
export interface Expanded {
  readonly text: string;
  /** Variables without a value here; Docker may know them. */
  readonly unknown: readonly string[];
}

export type ReadDirective = ReturnType<typeof readDirectives>[number];

/** Undefined if the value is unknown. */
type Variables = ReadonlyMap<string, string | undefined>;

/**
 * Expands the directives of both stages with preceding ARG and ENV values, build arguments and variables of the base
 * image.
 */
export function readDirectives(
  { args, preCopy, postCopy }: BuildConfiguration,
  baseVariables: Readonly<Record<string, string>>,
) {
  const given = Object.entries(args).map(([key, value]) => ({ kind: 'ARG', value: `${key}=${JSON.stringify(value)}` }));
  const values = {
    ARG: new Map<string, string | undefined>(),
    ENV: new Map<string, string | undefined>(Object.entries(baseVariables)),
  };
  // ENV overrides ARG in any order.
  const known = (): Variables => new Map([...values.ARG, ...values.ENV]);
  const all = [...given, ...preCopy, ...postCopy].map((directive: Directive) => {
    const text = joinLines(directive.value);
    const variables = known();
    const { kind } = directive;
    const set = kind === 'ARG' || kind === 'ENV' ? assignments(kind, text, variables) : [];
    for (const [name, value] of set) values[kind === 'ARG' ? 'ARG' : 'ENV'].set(name, value);
    return {
      directive,
      expanded: expand(text, variables),
      /** Names of variables that the directive stores in the image. */
      names: kind === 'ENV' ? set.map(([name]) => name) : [],
    };
  });
  return all.slice(given.length);
}

/** Docker joins continued lines without a space and drops comments between them. */
function joinLines(value: string): string {
  const [first = '', ...more] = value.split(/\r?\n/);
  const lines = [first, ...more.filter((line) => !/^\s*#/.test(line))];
  return lines.map((line, index) => (index < lines.length - 1 ? line.replace(/\\\s*$/, '') : line)).join('');
}

/** Values that an ARG or ENV sets; undefined if the value is unknown. */
function assignments(kind: 'ARG' | 'ENV', text: string, variables: Variables): [string, string | undefined][] {
  const valueOf = (written: string) => {
    const { text: value, unknown } = expand(written, variables);
    return unknown.length === 0 ? value : undefined;
  };
  const old = kind === 'ENV' ? /^([^\s=]+)\s+([^]*)$/.exec(text) : null;
  const nameOf = (written: string) => expand(written, variables).text;
  if (old) return [[nameOf(old[1] ?? ''), valueOf(old[2] ?? '')]];
  return words(text).map((word): [string, string | undefined] => {
    const at = word.indexOf('=');
    return at < 0 ? [nameOf(word), undefined] : [nameOf(word.slice(0, at)), valueOf(word.slice(at + 1))];
  });
}

const words = (text: string): string[] => text.match(/(?:\\[^]|'[^']*'|"(?:\\[^]|[^"\\])*"|[^\s\\'"])+/g) ?? [];

function expand(text: string, variables: Variables): Expanded {
  const unknown: string[] = [];
  let result = '';
  let quote = '';
  for (let at = 0; at < text.length;) {
    const character = text[at] ?? '';
    if (character === quote) {
      quote = '';
      at += 1;
    } else if (quote === '' && (character === "'" || character === '"')) {
      quote = character;
      at += 1;
    } else if (character === '\\' && quote !== "'") {
      result += text[at + 1] ?? '';
      at += 2;
    } else if (character === '$' && quote !== "'") {
      const { length, value, names } = variableAt(text.slice(at), variables);
      result += value;
      unknown.push(...names);
      at += length;
    } else {
      result += character;
      at += 1;
    }
  }
  return { text: result, unknown };
}

/** Parses `$NAME`, `${NAME}`, `${NAME:+word}` and `${NAME:-word}`. Other text in braces is unknown. */
function variableAt(text: string, variables: Variables): { length: number; value: string; names: readonly string[] } {
  const plain = /^\$(\w+)/.exec(text);
  if (plain) {
    const value = variables.get(plain[1] ?? '');
    return { length: plain[0].length, value: value ?? '', names: value === undefined ? [plain[0]] : [] };
  }
  if (!text.startsWith('${')) return { length: 1, value: '$', names: [] };
  const whole = text.slice(0, closingBrace(text) + 1);
  const [, name = '', operator, word = ''] = /^\$\{(\w+)(?:(:?[-+])([^]*))?\}$/.exec(whole) ?? [];
  const value = variables.get(name);
  if (name === '') return { length: whole.length, value: '', names: [whole] };
  if (operator === undefined) {
    return { length: whole.length, value: value ?? '', names: value === undefined ? [whole] : [] };
  }
  const other = expand(word, variables);
  if (value === undefined) {
    // Docker may know the variable; the default word applies if it does not.
    return { length: whole.length, value: operator.endsWith('-') ? other.text : '', names: [whole, ...other.unknown] };
  }
  const isSet = value !== '' || !operator.startsWith(':');
  const takesWord = operator.endsWith('+') === isSet;
  return {
    length: whole.length,
    value: takesWord ? other.text : operator.endsWith('-') ? value : '',
    names: takesWord ? other.unknown : [],
  };
}

function closingBrace(text: string): number {
  let depth = 0;
  for (let at = 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '{') depth += 1;
    else if (text[at] === '}') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return text.length - 1;
}
