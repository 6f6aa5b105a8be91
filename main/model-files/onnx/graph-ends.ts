import type { Field, MessageReader } from './message-reader.ts';

/** Operators that move values or convert their type, but do not change them. */
const neutral: ReadonlySet<string> = new Set(
  'Cast Identity Reshape Transpose Squeeze Unsqueeze Flatten Slice Gather Concat Split Dropout'.split(' '),
);
const longestWalk = 12;
const maxNodes = 100_000;

interface Node {
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

interface Named {
  readonly name: string;
}

/** Operators at both ends of the graph: they show normalization, softmax, argmax and suppression inside the file. */
export function readEnds(
  reader: MessageReader,
  graph: Field,
  inputs: readonly Named[],
  outputs: readonly Named[],
): { tails: Record<string, string[]>; heads: Record<string, string[]> } {
  const makers = new Map<string, Node>();
  const takers = new Map<string, Node>();
  let count = 0;
  for (const field of reader.fields(graph.start, graph.end)) {
    if (field.number !== 1) continue;
    count += 1;
    if (count > maxNodes) break;
    const node = readNode(reader, field);
    for (const name of node.outputs) makers.set(name, node);
    for (const name of node.inputs) if (!takers.has(name)) takers.set(name, node);
  }
  const of = (names: readonly Named[], next: (name: string) => readonly [Node, string] | null) =>
    Object.fromEntries(names.map(({ name }) => [name, walk(name, next)]));
  return {
    tails: of(outputs, (name) => step(makers.get(name), (node) => node.inputs[0])),
    heads: of(inputs, (name) => step(takers.get(name), (node) => node.outputs[0])),
  };
}

function step(node: Node | undefined, onwards: (node: Node) => string | undefined): readonly [Node, string] | null {
  return node === undefined ? null : [node, onwards(node) ?? ''];
}

function walk(from: string, next: (name: string) => readonly [Node, string] | null): string[] {
  const found: string[] = [];
  let name = from;
  for (let count = 0; count < longestWalk && found.length < 3; count += 1) {
    const one = next(name);
    if (one === null) break;
    const [{ operator }, onwards] = one;
    if (!neutral.has(operator)) found.push(operator);
    name = onwards;
  }
  return found;
}

function readNode(reader: MessageReader, field: Field): Node {
  const inputs: string[] = [];
  const outputs: string[] = [];
  let operator = '';
  for (const part of reader.fields(field.start, field.end)) {
    if (part.number === 1) inputs.push(reader.text(part));
    if (part.number === 2) outputs.push(reader.text(part));
    if (part.number === 4) operator = reader.text(part);
  }
  return { operator, inputs, outputs };
}
