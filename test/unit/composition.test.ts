import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync, Visitor, type Argument, type BindingPattern, type Program, type Statement } from 'oxc-parser';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..', '..');
const sources = globSync('main/**/*.ts', { cwd: root })
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
  .filter(({ text }) => /\bcreate[A-Z]\w*\(/.test(text));
const programs = new Map<string, Program>();
const programOf = (text: string): Program => {
  const program = programs.get(text) ?? parseSync('composition.ts', text).program;
  programs.set(text, program);
  return program;
};
const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length;

const isFactory = (name: string): boolean => /^create[A-Z]/.test(name);

/** Spreads of a variable into the list of a `create…` call: they hide which object gets what. */
function spreadLists(text: string): string[] {
  const found: string[] = [];
  const isSpread = (argument: Argument): boolean =>
    argument.type === 'ObjectExpression' &&
    argument.properties.some(
      (property) => property.type === 'SpreadElement' && /^(Identifier|MemberExpression)$/.test(property.argument.type),
    );
  new Visitor({
    CallExpression({ callee, arguments: given, start }) {
      if (callee.type !== 'Identifier' || !isFactory(callee.name) || !given.some(isSpread)) return;
      found.push(`line ${lineAt(text, start)}: ${callee.name}`);
    },
  }).visit(programOf(text));
  return found;
}

function namesIn(pattern: BindingPattern): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap((one) => namesIn(one.type === 'RestElement' ? one.argument : one.value));
    case 'ArrayPattern':
      return pattern.elements.flatMap((one) =>
        one === null ? [] : namesIn(one.type === 'RestElement' ? one.argument : one),
      );
    case 'AssignmentPattern':
      return namesIn(pattern.left);
  }
}

/** Objects of a block that `create…` calls create, with the end of their declaration. */
function createdIn(statements: readonly Statement[]): Map<string, number> {
  const created = new Map<string, number>();
  for (const statement of statements) {
    if (statement.type !== 'VariableDeclaration') continue;
    for (const { id, init, end } of statement.declarations) {
      if (init?.type !== 'CallExpression' || init.callee.type !== 'Identifier' || !isFactory(init.callee.name))
        continue;
      for (const name of namesIn(id)) created.set(name, end);
    }
  }
  return created;
}

/** Functions that name an object before it is created: two objects that know each other through a closure. */
function earlyNames(text: string): string[] {
  const found: string[] = [];
  const program = programOf(text);
  new Visitor({ BlockStatement: ({ body }) => check(body) }).visit(program);
  return found;

  function check(statements: readonly Statement[]): void {
    const created = createdIn(statements);
    if (created.size === 0) return;
    let depth = 0;
    const enter = (): void => void (depth += 1);
    const leave = (): void => void (depth -= 1);
    const keys = new Set<number>();
    const isValue = (start: number): boolean => !keys.has(start);
    new Visitor({
      ArrowFunctionExpression: enter,
      'ArrowFunctionExpression:exit': leave,
      FunctionExpression: enter,
      'FunctionExpression:exit': leave,
      Property({ key, shorthand }) {
        if (!shorthand) keys.add(key.start);
      },
      MemberExpression({ property, computed }) {
        if (!computed) keys.add(property.start);
      },
      Identifier({ name, start }) {
        const end = created.get(name);
        if (end === undefined || depth === 0 || start >= end || !isValue(start)) return;
        found.push(`line ${lineAt(text, start)}: ${name}`);
      },
    }).visit({ ...program, body: [...statements] });
  }
}

const inFiles = (find: (text: string) => string[]): string[] =>
  sources.flatMap(({ file, text }) => find(text).map((place) => `${file} ${place}`));

describe('composition', () => {
  test('a spread into a list and a name before its creation are detected', () => {
    expect(spreadLists('createTasks({ ...shared, clock });\ncreateJobs({ clock, ...(on ? { log } : {}) });')).toEqual([
      'line 1: createTasks',
    ]);
    const circle =
      'function compose() {\n  const jobs = createJobs(() => tasks.get());\n  const tasks = createTasks(jobs);\n}';
    expect(earlyNames(circle)).toEqual(['line 2: tasks']);
    expect(earlyNames('function compose() {\n  const jobs = createJobs({ find: () => jobs.list() });\n}')).toEqual([
      'line 2: jobs',
    ]);
    expect(earlyNames('function compose() {\n  const tasks = createTasks();\n  return () => tasks;\n}')).toEqual([]);
  });

  test('lists what each created object gets, without the spread of a variable', () => {
    expect(inFiles(spreadLists)).toEqual([]);
  });

  test('creates objects in an order in which none names a later one', () => {
    expect(inFiles(earlyNames)).toEqual([]);
  });
});
