import { closeSync, fstatSync, openSync } from 'node:fs';
import { AppError } from '../../platform/errors.ts';
import { readEnds } from './graph-ends.ts';
import { BrokenModel, createMessageReader, type Field, type MessageReader } from './message-reader.ts';

/** Size of a tensor dimension: a number, a symbolic name, or undeclared. */
export type Dimension = number | string | null;

export interface OnnxValue {
  readonly name: string;
  /** ONNX's name, for example `float32`. */
  readonly type: string;
  /** Null for an unknown rank. */
  readonly dimensions: readonly Dimension[] | null;
}

/** A model on a server of the Open Inference Protocol. */
export interface ServedModel {
  /** Without the path of the protocol. */
  readonly url: string;
  readonly model: string;
  /** Null for the version that the server chooses. */
  readonly version: string | null;
  /** True if the server takes and returns tensors as bytes. */
  readonly isBinary: boolean;
}

export interface OnnxFacts {
  readonly producer: string;
  readonly operatorSet: number;
  readonly nodeCount: number;
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  readonly metadata: Readonly<Record<string, string>>;
  /** Last operators of each output, nearest first. Operators that keep the values are left out. */
  readonly tails?: Readonly<Record<string, readonly string[]>>;
  /** First operators that change the values of each input. */
  readonly heads?: Readonly<Record<string, readonly string[]>>;
  /** Set if there is no file, because a server runs the model. */
  readonly served?: ServedModel;
}

/** Position of an input's or output's description in the file. */
export interface ValuePlace {
  readonly field: Field;
  readonly value: OnnxValue;
}

export interface OnnxFile {
  readonly facts: OnnxFacts;
  readonly graph: Field;
  readonly places: readonly ValuePlace[];
  /** Names of the files beside the model that contain weights. */
  readonly dataFiles: readonly string[];
}

const maxFileBytes = 2 * 1024 ** 3;
const maxNodes = 100_000;
const maxDepth = 16;
const maxMetadata = 1000;
const maxDataFiles = 64;

/** Operator domains of the runtime. */
const knownDomains: ReadonlySet<string> = new Set([
  '',
  'ai.onnx',
  'ai.onnx.ml',
  'com.microsoft',
  'com.microsoft.nchwc',
]);

const elementTypes: Readonly<Record<number, string>> = {
  1: 'float32',
  2: 'uint8',
  3: 'int8',
  5: 'int16',
  6: 'int32',
  7: 'int64',
  8: 'string',
  9: 'bool',
  10: 'float16',
  11: 'float64',
};

/**
 * Reads a file's metadata without executing it or loading weights.
 * @throws AppError 400 if the file is not ONNX, refers to files of other folders, or needs unknown operators
 */
export function readOnnx(path: string, name: string): OnnxFile {
  const handle = openSync(path, 'r');
  try {
    const { size } = fstatSync(handle);
    if (size > maxFileBytes) throw new BrokenModel('it is larger than 2 GiB, the limit of this format');
    return readModel(createMessageReader(handle, size));
  } catch (error) {
    if (!(error instanceof BrokenModel)) throw error;
    const message = `Cannot use ${name} as a model: ${error.message}. Nothing was added.`;
    throw new AppError('invalid', message, { file: [message] });
  } finally {
    closeSync(handle);
  }
}

function readModel(reader: MessageReader): OnnxFile {
  let producer = '';
  let operatorSet = 0;
  let graph: Field | null = null;
  let isVersioned = false;
  const metadata: Record<string, string> = {};
  const counter: Counter = { nodes: 0, dataFiles: new Set() };
  for (const field of reader.fields(0, reader.fileBytes)) {
    if (field.number === 1) isVersioned = true;
    else if (field.number === 2) producer = reader.text(field);
    else if (field.number === 7) graph = field;
    else if (field.number === 8) operatorSet = Math.max(operatorSet, readOperatorSet(reader, field));
    else if (field.number === 14 && Object.keys(metadata).length < maxMetadata) {
      const [key = '', value = ''] = textsOf(reader, field, [1, 2]);
      metadata[key] = value;
    } else if (field.number === 25) checkNodes(reader, field, 7, 0, counter);
  }
  if (graph === null || !isVersioned) throw new BrokenModel('it is not an ONNX file');
  const places = readGraph(reader, graph, counter);
  const side = (number: number) => places.filter(({ field }) => field.number === number).map(({ value }) => value);
  if (side(11).length === 0 || side(12).length === 0) throw new BrokenModel('it has no inputs or no outputs');
  const [inputs, outputs] = [side(11), side(12)];
  const facts = {
    producer,
    operatorSet,
    nodeCount: counter.nodes,
    inputs,
    outputs,
    metadata,
    ...readEnds(reader, graph, inputs, outputs),
  };
  return { facts, graph, places, dataFiles: [...counter.dataFiles] };
}

function readOperatorSet(reader: MessageReader, { start, end }: Field): number {
  let domain = '';
  let version = 0;
  for (const field of reader.fields(start, end)) {
    if (field.number === 1) domain = reader.text(field);
    if (field.number === 2) version = field.value;
  }
  return domain === '' || domain === 'ai.onnx' ? version : 0;
}

/** Older files list their weights as inputs. */
function readGraph(reader: MessageReader, graph: Field, counter: Counter): ValuePlace[] {
  const weights = new Set<string>();
  const places: ValuePlace[] = [];
  checkGraph(reader, graph, 0, counter);
  for (const field of reader.fields(graph.start, graph.end)) {
    if (field.number === 5) weights.add(textsOf(reader, field, [8])[0] ?? '');
    if (field.number === 11 || field.number === 12) places.push({ field, value: readValue(reader, field) });
  }
  return places.filter(({ field, value }) => field.number === 12 || !weights.has(value.name));
}

interface Counter {
  nodes: number;
  readonly dataFiles: Set<string>;
}

function checkGraph(reader: MessageReader, graph: Field, depth: number, counter: Counter): void {
  if (depth > maxDepth) throw new BrokenModel('its parts are nested too deeply');
  for (const field of reader.fields(graph.start, graph.end)) {
    if (field.number === 5) checkTensor(reader, field, counter);
    if (field.number === 15) for (const one of reader.fields(field.start, field.end)) checkSparse(reader, one, counter);
  }
  checkNodes(reader, graph, 1, depth, counter);
}

function checkSparse(reader: MessageReader, field: Field, counter: Counter): void {
  if (field.number === 1 || field.number === 2) checkTensor(reader, field, counter);
}

function checkNodes(reader: MessageReader, parent: Field, number: number, depth: number, counter: Counter): void {
  for (const node of reader.fields(parent.start, parent.end)) {
    if (node.number !== number) continue;
    counter.nodes += 1;
    if (counter.nodes > maxNodes) throw new BrokenModel(`it has more than ${maxNodes} nodes`);
    let operator = '';
    for (const part of reader.fields(node.start, node.end)) {
      if (part.number === 4) operator = reader.text(part);
      if (part.number === 7) checkDomain(reader.text(part), operator);
      if (part.number === 5) checkAttribute(reader, part, depth, counter);
    }
  }
}

function checkDomain(domain: string, operator: string): void {
  if (knownDomains.has(domain)) return;
  throw new BrokenModel(
    `it needs the operator "${operator}" of "${domain}", which is not part of ONNX. Operator libraries are not supported`,
  );
}

function checkAttribute(reader: MessageReader, attribute: Field, depth: number, counter: Counter): void {
  for (const field of reader.fields(attribute.start, attribute.end)) {
    if (field.number === 5 || field.number === 10) checkTensor(reader, field, counter);
    if (field.number === 6 || field.number === 11) checkGraph(reader, field, depth + 1, counter);
  }
}

/** Collects the files with external weights. Only files beside the model are allowed, never other ones of this computer. */
function checkTensor(reader: MessageReader, tensor: Field, { dataFiles }: Counter): void {
  let isExternal = false;
  let location: string | null = null;
  for (const field of reader.fields(tensor.start, tensor.end)) {
    if (field.number === 14 && field.value === 1) isExternal = true;
    if (field.number !== 13) continue;
    isExternal = true;
    const [key, value = ''] = textsOf(reader, field, [1, 2]);
    if (key === 'location') location = value;
  }
  if (!isExternal) return;
  const name = location?.replace(/^\.\//, '') ?? '';
  if (!isPlainName(name)) {
    throw new BrokenModel(
      `it stores its weights in "${(location ?? '').slice(0, 200)}", which is not a file beside it. Save it again with its weights in one file of its folder`,
    );
  }
  dataFiles.add(name);
  if (dataFiles.size > maxDataFiles) throw new BrokenModel(`it stores its weights in more than ${maxDataFiles} files`);
}

/** Files that Limner writes into the folder of a model. */
const ownFiles: ReadonlySet<string> = new Set(['model.onnx', 'decoder.onnx', 'main.py', 'function.yaml']);

const isPlainName = (name: string): boolean =>
  name.length <= 255 && /^[^./\\:*?"<>|\p{Cc}][^/\\:*?"<>|\p{Cc}]*$/u.test(name) && !ownFiles.has(name.toLowerCase());

function textsOf(reader: MessageReader, { start, end }: Field, numbers: readonly number[]): string[] {
  const found = numbers.map(() => '');
  for (const field of reader.fields(start, end)) {
    const index = numbers.indexOf(field.number);
    if (index >= 0) found[index] = reader.text(field);
  }
  return found;
}

function readValue(reader: MessageReader, { start, end }: Field): OnnxValue {
  let name = '';
  let type = 'unknown';
  let dimensions: Dimension[] | null = null;
  for (const field of reader.fields(start, end)) {
    if (field.number === 1) name = reader.text(field);
    if (field.number !== 2) continue;
    for (const kind of reader.fields(field.start, field.end)) {
      if (kind.number !== 1) continue;
      for (const part of reader.fields(kind.start, kind.end)) {
        if (part.number === 1) type = elementTypes[part.value] ?? 'unknown';
        if (part.number === 2) dimensions = readShape(reader, part);
      }
    }
  }
  return { name, type, dimensions };
}

function readShape(reader: MessageReader, { start, end }: Field): Dimension[] {
  const dimensions: Dimension[] = [];
  for (const field of reader.fields(start, end)) {
    if (field.number !== 1) continue;
    let dimension: Dimension = null;
    for (const part of reader.fields(field.start, field.end)) {
      if (part.number === 1) dimension = part.value > 0 ? part.value : null;
      if (part.number === 2) dimension = reader.text(part);
    }
    dimensions.push(dimension);
  }
  return dimensions;
}
