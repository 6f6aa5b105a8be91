import { z } from 'zod';
import { attributeWriteSchema, longestDrawing } from '../contract/schema/labels.ts';
import { decodeEntities, type Joint } from './skeleton-joints.ts';
import { skeletonMarks } from './skeleton-marks.ts';

/** Skeleton in a separate file. Coordinates are in a box of 100 by 100. */
export interface SkeletonFile {
  readonly nodes: readonly FileNode[];
  /** Positions of nodes, from 1. */
  readonly joints: readonly Joint[];
}

interface FileNode {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly color?: string | undefined;
  readonly attributes: readonly z.output<typeof attributeWriteSchema>[];
}

export interface SkeletonSvgProblem {
  readonly kind:
    | 'syntax'
    | 'element'
    | 'attribute'
    | 'value'
    | 'text'
    | 'tooLong'
    | 'tooMany'
    | 'noPoints'
    | 'place'
    | 'outside'
    | 'twice'
    | 'loose'
    | 'labels';
  /** Affected part of the file. */
  readonly what: string;
}

export type SkeletonReading =
  | { readonly ok: true; readonly skeleton: SkeletonFile }
  | { readonly ok: false; readonly problem: SkeletonSvgProblem };

class Refusal extends Error {
  readonly problem: SkeletonSvgProblem;
  constructor(problem: SkeletonSvgProblem) {
    super(problem.kind);
    this.problem = problem;
  }
}

const refuse = (kind: SkeletonSvgProblem['kind'], what: string): never => {
  throw new Refusal({ kind, what: what.length > 60 ? `${what.slice(0, 59)}…` : what });
};

const mostPoints = 1000;
const number = String.raw`-?\d+(?:\.\d+)?`;
const size = new RegExp(`^${number}(?:px|%)?$`);

/** Frame around the elements, with the names and colours of the points. */
const frameMarks: typeof skeletonMarks = {
  svg: {
    xmlns: /^http:\/\/www\.w3\.org\/2000\/svg$/,
    version: /^1\.\d$/,
    viewBox: new RegExp(`^${number}(?:[ ,]+${number}){3}$`),
    width: size,
    height: size,
  },
  desc: { 'data-description-type': /^labels-specification$/ },
};
const allowed = { ...skeletonMarks, ...frameMarks };

const attributePattern = String.raw`\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*')`;
const token = new RegExp(String.raw`<(/?)([A-Za-z][\w:.-]*)((?:${attributePattern})*)\s*(/?)>|([^<]+)`, 'y');

type Attributes = ReadonlyMap<string, string>;

interface Mark {
  readonly name: string;
  readonly attributes: Attributes;
  text: string;
}

function attributesOf(element: string, source: string): Attributes {
  const rules = allowed[element] ?? {};
  const found = new Map<string, string>();
  for (const [, name = '', double, single] of source.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    const value = double ?? single ?? '';
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) refuse('attribute', `${name} (${element})`);
    else if (!rule.test(value.replace(/&(?:amp|lt|gt|quot|apos);/g, ''))) refuse('value', `${name}="${value}"`);
    if (found.has(name)) refuse('twice', `${name} (${element})`);
    found.set(name, decodeEntities(value));
  }
  return found;
}

/** Elements of the SVG in order. Only the frame has children, only the description has text. */
function marksOf(text: string): Mark[] {
  const source = text.replace(/^\uFEFF?\s*(?:<\?xml[^<>]*\?>)?\s*/, '');
  const marks: Mark[] = [];
  const open: Mark[] = [];
  let isOver = false;
  token.lastIndex = 0;
  while (token.lastIndex < source.length) {
    const at = token.lastIndex;
    const found = token.exec(source);
    const rest = source.slice(at, at + 40).trim();
    if (found === null) throw new Refusal({ kind: 'syntax', what: rest });
    const [, closing, name = '', attributes = '', selfClosing, letters] = found;
    const parent = open.at(-1);
    if (letters !== undefined) {
      if (parent?.name === 'desc') parent.text += decodeEntities(letters);
      else if (letters.trim() !== '') refuse('text', letters.trim());
    } else if (closing === '/') {
      if (parent?.name !== name || attributes !== '' || selfClosing === '/') refuse('syntax', rest);
      open.pop();
      isOver ||= name === 'svg';
    } else {
      if (!Object.hasOwn(allowed, name)) refuse('element', `<${name}>`);
      const isFrame = name === 'svg';
      // At most one frame, around everything; no other element has children.
      if (isOver || (isFrame ? marks.length > 0 : parent !== undefined && parent.name !== 'svg')) {
        refuse('syntax', rest);
      }
      const mark = { name, attributes: attributesOf(name, attributes), text: '' };
      marks.push(mark);
      if (selfClosing !== '/') open.push(mark);
      else isOver ||= isFrame;
    }
  }
  const left = open.at(-1);
  if (left !== undefined) refuse('syntax', `<${left.name}>`);
  return marks;
}

const specificationSchema = z.record(
  z.string(),
  z.object({
    name: z.string().trim().min(1).max(64).optional(),
    color: z
      .string()
      .regex(/^#[0-9a-fA-F]{6}$/)
      .nullish(),
    attributes: z.array(attributeWriteSchema).optional(),
  }),
);
type Specification = z.output<typeof specificationSchema>;

/** Properties of the points, by the ids of their elements. */
function specificationOf(marks: readonly Mark[]): ReadonlyMap<string, Specification[string]> {
  const [mark, second] = marks.filter(({ name }) => name === 'desc');
  if (second !== undefined) refuse('twice', '<desc>');
  if (mark === undefined || mark.text.trim() === '') return new Map();
  try {
    return new Map(Object.entries(specificationSchema.parse(JSON.parse(mark.text))));
  } catch {
    throw new Refusal({ kind: 'labels', what: mark.text.trim().slice(0, 60) });
  }
}

/** Converts coordinates from the frame's viewBox to a box of 100 by 100. */
function placing(marks: readonly Mark[]): (value: string | undefined, axis: 0 | 1) => number {
  const view = marks.find(({ name }) => name === 'svg')?.attributes.get('viewBox') ?? '0 0 100 100';
  const [left = 0, top = 0, width = 100, height = 100] = view.split(/[ ,]+/).map(Number);
  const span = Math.max(width, height);
  if (!(span > 0) || !(Math.min(width, height) > 0)) refuse('value', `viewBox="${view}"`);
  const margins = [(span - width) / 2, (span - height) / 2];
  return (value, axis) => {
    const at = Number(value ?? Number.NaN);
    if (!Number.isFinite(at)) refuse('place', value ?? '');
    const placed = ((at - (axis === 0 ? left : top) + (margins[axis] ?? 0)) * 100) / span;
    if (placed < 0 || placed > 100) refuse('outside', value ?? '');
    return Math.round(placed * 100) / 100;
  };
}

function skeletonOf(marks: readonly Mark[]): SkeletonFile {
  const circles = marks.filter(({ name }) => name === 'circle');
  if (circles.length === 0) refuse('noPoints', '');
  if (circles.length > mostPoints) refuse('tooMany', String(circles.length));
  const specification = specificationOf(marks);
  const place = placing(marks);
  const places = new Map<string, number>();
  const nodes = circles.map(({ attributes }, index): FileNode => {
    const element = attributes.get('data-element-id') ?? String(index + 1);
    const id = attributes.get('data-node-id') ?? element;
    if (places.has(id)) refuse('twice', `data-node-id="${id}"`);
    places.set(id, index + 1);
    const known = specification.get(element);
    return {
      name: attributes.get('data-label-name') ?? known?.name ?? element,
      x: place(attributes.get('cx'), 0),
      y: place(attributes.get('cy'), 1),
      color: known?.color ?? undefined,
      attributes: known?.attributes ?? [],
    };
  });
  const joints = new Map<string, Joint>();
  for (const { name, attributes } of marks) {
    if (name !== 'line') continue;
    const ends = [attributes.get('data-node-from') ?? '', attributes.get('data-node-to') ?? ''];
    const [from = 0, to = 0] = ends.map((id) => places.get(id) ?? 0);
    if (from === 0 || to === 0 || from === to) refuse('loose', ends.join(' – '));
    joints.set([from, to].toSorted((a, b) => a - b).join(' '), [from, to]);
  }
  return { nodes, joints: [...joints.values()] };
}

/**
 * Parses an untrusted SVG of a skeleton. Accepts circles, lines and the attributes that draw a skeleton, with or
 * without a frame. Rejects everything else and names the part.
 */
export function readSkeletonSvg(text: string): SkeletonReading {
  try {
    if (text.length > longestDrawing) refuse('tooLong', String(text.length));
    return { ok: true, skeleton: skeletonOf(marksOf(text)) };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, problem: error.problem };
    throw error;
  }
}
