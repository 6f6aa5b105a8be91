import { z } from 'zod';
import { AppError } from '../platform/errors.ts';
import { inPortions, portionSize, type Portions } from '../platform/portions.ts';

type Issue = z.core.$ZodRawIssue;

const maxIssues = 100;
/** Lists with errors at a higher index are answered as objects by index instead of lists with filled gaps. */
const maxListIndex = 1000;

/**
 * Parses input from a client.
 * @throws AppError 400 with messages by field: `{ "name": ["This field is required."] }`, nested like the input
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = parse(schema, input);
  if (parsed.success) return parsed.data;
  throw invalid(parsed.error.issues);
}

/**
 * Parses a JSON body as `parseInput` does. Other requests run after each portion of a long list in it, and the parsed
 * part of the input is released, because a list may need hundreds of megabytes.
 */
export async function parseBody(schema: z.ZodType, input: unknown): Promise<unknown> {
  const lists = longLists(schema, input);
  if (lists.length === 0) return parseInput(schema, input);
  return inPortions(parseInPortions(schema, input as Record<string, unknown>, lists));
}

/** Parses items of a list in an object, as an object that has only them. `firstIndex` is that of the first item. */
export function parsePortion<Schema extends z.ZodType>(
  schema: Schema,
  key: string,
  items: readonly unknown[],
  firstIndex: number,
): z.output<Schema> {
  const parsed = parse(schema, { [key]: items });
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path: [list = key, index, ...path], message: text }) => ({
    path: typeof index === 'number' ? [list, firstIndex + index, ...path] : [list],
    message: text,
  }));
  throw invalid(issues);
}

const parse = <Schema extends z.ZodType>(schema: Schema, input: unknown) =>
  schema.safeParse(input, { error: (issue) => message(issue) });

function invalid(issues: readonly ParsedIssue[]): AppError {
  return new AppError('invalid', issues[0]?.message ?? 'Invalid input.', errorTree(issues.slice(0, maxIssues)));
}

interface LongList {
  readonly key: string;
  readonly schema: z.ZodType;
  readonly items: unknown[];
}

/** Long lists in an object, unless a check needs the entire list or object. */
function longLists(schema: z.ZodType, input: unknown): LongList[] {
  if (!(schema instanceof z.ZodObject) || hasChecks(schema) || typeof input !== 'object' || input === null) return [];
  return Object.entries<z.ZodType>(schema.shape).flatMap(([key, member]) => {
    const list = member instanceof z.ZodDefault ? (member.unwrap() as z.ZodType) : member;
    const items: unknown = (input as Record<string, unknown>)[key];
    const isLong = list instanceof z.ZodArray && !hasChecks(list) && Array.isArray(items) && items.length > portionSize;
    return isLong ? [{ key, schema: list, items: items as unknown[] }] : [];
  });
}

const hasChecks = ({ def }: z.ZodObject | z.ZodArray): boolean => (def.checks?.length ?? 0) > 0;

function* parseInPortions(
  schema: z.ZodType,
  input: Record<string, unknown>,
  lists: readonly LongList[],
): Portions<unknown> {
  const issues: ParsedIssue[] = [];
  const parsedLists: Record<string, unknown[]> = {};
  for (const { key, schema: list, items } of lists) {
    const parsedItems: unknown[] = [];
    parsedLists[key] = parsedItems;
    for (let at = 0; at < items.length && issues.length < maxIssues; at += portionSize) {
      const parsed = parse(list, items.slice(at, at + portionSize));
      items.fill(undefined, at, at + portionSize);
      if (parsed.success) parsedItems.push(...(parsed.data as unknown[]));
      else
        for (const {
          path: [index, ...path],
          message: text,
        } of parsed.error.issues)
          issues.push({ path: [key, at + Number(index), ...path], message: text });
      yield;
    }
  }
  const empty = Object.fromEntries(lists.map(({ key }) => [key, []]));
  const rest = parse(schema, { ...input, ...empty });
  issues.push(...(rest.error?.issues ?? []));
  if (issues.length > 0) throw invalid(issues);
  return { ...(rest.data as object), ...parsedLists };
}

function message(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined || issue.input === null ? absent(issue.input) : wrongType(issue);
    case 'invalid_value':
      return issue.input === undefined || issue.input === null
        ? absent(issue.input)
        : `"${shown(issue.input)}" is not a valid choice.`;
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return tooBig(issue);
    case 'invalid_format':
      return issue.format === 'datetime'
        ? 'Datetime has wrong format. Use ISO 8601, for example 2026-11-20T09:30:00Z.'
        : 'Enter a valid value.';
    default:
      return 'Invalid value.';
  }
}

const absent = (input: unknown) => (input === null ? 'This field may not be null.' : 'This field is required.');

function wrongType(issue: Extract<Issue, { code: 'invalid_type' }>): string {
  switch (issue.expected) {
    case 'string':
      return 'Not a valid string.';
    case 'int':
      return 'A valid integer is required.';
    case 'number':
      return 'A valid number is required.';
    case 'boolean':
      return 'Must be a valid boolean.';
    case 'array':
      return `Expected a list of items but got type "${jsonType(issue.input)}".`;
    case 'object':
    case 'record':
      return `Invalid data. Expected a dictionary, but got ${jsonType(issue.input)}.`;
    default:
      return 'Invalid value.';
  }
}

function tooSmall(issue: Extract<Issue, { code: 'too_small' }>): string {
  const limit = String(issue.minimum);
  if (issue.origin === 'string') {
    return issue.minimum === 1 ? 'This field may not be blank.' : `Ensure this field has at least ${limit} characters.`;
  }
  if (issue.origin === 'array') return `Ensure this field has at least ${limit} elements.`;
  return `Ensure this value is greater than ${issue.inclusive === false ? '' : 'or equal to '}${limit}.`;
}

function tooBig(issue: Extract<Issue, { code: 'too_big' }>): string {
  const limit = String(issue.maximum);
  if (issue.origin === 'string') return `Ensure this field has no more than ${limit} characters.`;
  if (issue.origin === 'array') return `Ensure this field has no more than ${limit} elements.`;
  return `Ensure this value is less than ${issue.inclusive === false ? '' : 'or equal to '}${limit}.`;
}

function jsonType(input: unknown): string {
  if (Array.isArray(input)) return 'list';
  return input === null ? 'null' : typeof input;
}

function shown(input: unknown): string {
  const text = typeof input === 'string' ? input : (JSON.stringify(input) ?? String(input));
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

interface ParsedIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

interface Node {
  readonly messages: string[];
  readonly children: Map<PropertyKey, Node>;
}

function errorTree(issues: readonly ParsedIssue[]): unknown {
  const root: Node = { messages: [], children: new Map() };
  for (const issue of issues) {
    let node = root;
    for (const key of issue.path) {
      const child = node.children.get(key) ?? { messages: [], children: new Map() };
      node.children.set(key, child);
      node = child;
    }
    node.messages.push(issue.message);
  }
  return root.messages.length > 0 ? { non_field_errors: root.messages } : render(root);
}

function render(node: Node): unknown {
  if (node.children.size === 0) return node.messages;
  const keys = [...node.children.keys()];
  const last = Math.max(...keys.map((key) => (typeof key === 'number' ? key : Infinity)));
  if (last > maxListIndex) {
    return Object.fromEntries([...node.children].map(([key, child]) => [String(key), render(child)]));
  }
  // For example a list of objects of which only some are invalid: the valid ones have no errors.
  return Array.from({ length: last + 1 }, (_, index) => {
    const child = node.children.get(index);
    return child ? render(child) : {};
  });
}
