import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';
import { faultsOf, whatShares, type TextKind } from './prose-rules.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

interface Text {
  readonly place: string;
  readonly text: string;
  readonly kind: TextKind;
  readonly isDoc?: boolean;
}

const sources = '{main,preload,renderer,scripts,test,resources}/**/*.{ts,tsx,mjs}';
const find = (pattern: string): string[] =>
  globSync(pattern, { cwd: root, exclude: ['**/node_modules/**', 'docs/reference/**'] }).toSorted();
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Comments, and literals of three words or more: messages in the program, names of tests and groups in tests. */
function textsOfSource(file: string): Text[] {
  const source = read(file);
  const { comments, program } = parseSync(file, source);
  const placeOf = (offset: number): string => `${file}:${source.slice(0, offset).split('\n').length}`;
  const texts: Text[] = [];
  for (const [index, { type, value, start }] of comments.entries()) {
    const previous = comments[index - 1];
    const text = value.replaceAll(/^\*|^\s*\* ?/gm, '').trim();
    // Line comments below each other are one text.
    const last = texts.at(-1);
    if (type === 'Line' && previous?.type === 'Line' && last && /^\n\s*$/.test(source.slice(previous.end, start))) {
      texts[texts.length - 1] = { ...last, text: `${last.text} ${text}` };
    } else {
      texts.push({ place: placeOf(start), text, kind: 'comment', isDoc: value.startsWith('*') });
    }
  }
  const isTest = file.startsWith('test/');
  const add = (text: string, start: number): void => {
    if (/\w+ \w+ \w+/.test(text)) texts.push({ place: placeOf(start), text, kind: 'message' });
  };
  new Visitor({
    Literal({ value, start }) {
      if (!isTest && typeof value === 'string') add(value, start);
    },
    TemplateLiteral({ quasis, start }) {
      if (!isTest) add(quasis.map(({ value }) => value.raw).join('x'), start);
    },
    CallExpression({ callee, arguments: [first] }) {
      const isName = isTest && /^(?:it|test|describe)\b/.test(source.slice(callee.start, callee.end));
      if (isName && first?.type === 'Literal' && typeof first.value === 'string') add(first.value, first.start);
    },
  }).visit(program);
  return texts.filter(({ text }) => text !== '');
}

type Json = string | { readonly [key: string]: Json };

const textsOfJson = (file: string, value: Json, key = ''): Text[] =>
  typeof value === 'string'
    ? [{ place: `${file} ${key}`, text: value, kind: 'screen' }]
    : Object.entries(value).flatMap(([name, one]) => textsOfJson(file, one, key === '' ? name : `${key}.${name}`));

/** Paragraphs, list items and table cells; without front matter, code and HTML. */
function textsOfPage(file: string): Text[] {
  const prose = read(file)
    .replace(/^---\n.*?\n---\n/s, (matter) => matter.replaceAll(/[^\n]/g, ''))
    .replaceAll(/^(```|~~~).*?^\1/gms, (code) => code.replaceAll(/[^\n]/g, ''))
    .replaceAll(/<!--.*?-->/gs, (comment) => comment.replaceAll(/[^\n]/g, ''));
  const texts: Text[] = [];
  let isOpen = false;
  for (const [index, line] of prose.split('\n').entries()) {
    const isBlock = /^\s*(?:[-*|#>]|\d+\.)/.test(line);
    for (const cell of line.startsWith('|') ? line.split('|') : [line]) {
      const text = cell.replace(/^\s*(?:[-*#>]+|\d+\.)\s*/, '').trim();
      const last = texts.at(-1);
      if (text === '') isOpen = false;
      else if (isOpen && !isBlock && last) texts[texts.length - 1] = { ...last, text: `${last.text} ${text}` };
      else texts.push({ place: `${file}:${index + 1}`, text, kind: 'page' });
      if (text !== '') isOpen = !line.startsWith('|') && !line.startsWith('#');
    }
  }
  return texts;
}

const written = find(sources).flatMap(textsOfSource);
const comments = written.filter(({ kind }) => kind === 'comment');
const texts = [
  ...written,
  ...textsOfJson('renderer/i18n/en.json', JSON.parse(read('renderer/i18n/en.json')) as Json),
  ...find('{docs/**/,}*.md').flatMap(textsOfPage),
];
const faults = texts.flatMap(({ place, text, kind, isDoc }) =>
  faultsOf(text, kind, isDoc).map((fault) => `${place}: ${fault}`),
);
const shares = whatShares(comments.map(({ text }) => text));
if (shares.contain > 2) faults.push(`${shares.contain.toFixed(1)} % of the comments contain “what”: at most 2 %`);
if (shares.begin > 0.5) faults.push(`${shares.begin.toFixed(1)} % of the comments begin with “what”: at most 0.5 %`);

for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stdout.write(
  `${texts.length} texts, ${comments.length} comments, ${faults.length} faults; “what”: ${shares.contain.toFixed(2)} % contain, ${shares.begin.toFixed(2)} % begin\n`,
);
process.exitCode = faults.length === 0 ? 0 : 1;
