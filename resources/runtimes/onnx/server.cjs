/**
 * Process that runs ONNX models: only tensors go in and out, one run at a time. Started by main/model-files/runtime
 * with the path of onnxruntime-node, and killed by it if a model uses too much time or memory.
 */
'use strict';

const { readSync } = require('node:fs');

const library = process.argv[2];
const maxOutputBytes = 1024 * 1024 * 1024;
const sessions = new Map();
/** Sessions on the CPU that judge the first run on a GPU. */
const judges = new Map();
let ort;

const say = (message) => process.send(message);

const arrays = {
  float32: Float32Array,
  float64: Float64Array,
  uint8: Uint8Array,
  int8: Int8Array,
  uint16: Uint16Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
};

/** File descriptor on which the levels of images arrive, without being serialized. */
const levelChannel = 4;

/** Last levels and values of each input, which the next image overwrites because runs do not overlap. */
const pixels = new Map();

/** Images are levels 0 to 255, announced by their count and with the value of each level, by channel. */
function dataOf(name, { data, count, tables, isPlanar }) {
  if (count === undefined) return data;
  const Numbers = tables[0].constructor;
  let known = pixels.get(name);
  if (known?.values.length !== count || known.values.constructor !== Numbers) {
    known = { levels: new Uint8Array(count), values: new Numbers(count) };
    pixels.set(name, known);
  }
  const { levels, values } = known;
  readLevels(levels);
  const plane = count / tables.length;
  const step = isPlanar ? 1 : tables.length;
  for (const [channel, table] of tables.entries()) {
    const start = isPlanar ? channel * plane : channel;
    for (let pixel = 0, at = start; pixel < plane; pixel += 1, at += step) values[at] = table[levels[at]];
  }
  return values;
}

function readLevels(levels) {
  for (let done = 0; done < levels.length;) {
    const length = readSync(levelChannel, levels, done, levels.length - done);
    // Limner ended.
    if (length === 0) process.exit(0);
    done += length;
  }
}

/** Half-precision values are transferred as float32, because not every Node has Float16Array. */
function tensorOf({ type, dims, data }) {
  if (type !== 'float16') return new ort.Tensor(type, data, dims);
  if (typeof Float16Array === 'undefined') throw new Error('this Node does not support 16-bit floats');
  const half = Float16Array.from(data);
  const tensor = new ort.Tensor('float16', half, dims);
  // The native part reads the bits of a Uint16Array only (microsoft/onnxruntime#26791).
  tensor.cpuData = new Uint16Array(half.buffer);
  return tensor;
}

function plainOf({ type, dims, data }) {
  if (type === 'float16') return { type: 'float32', dims: [...dims], data: Float32Array.from(data) };
  if (type === 'bool') return { type: 'uint8', dims: [...dims], data: Uint8Array.from(data) };
  if (!(type in arrays)) throw new Error(`an output has the type ${type}, which is not supported`);
  return { type, dims: [...dims], data };
}

const create = (path, threads, provider) =>
  ort.InferenceSession.create(path, {
    executionProviders: provider === 'cpu' ? ['cpu'] : [provider, 'cpu'],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    logSeverityLevel: 3,
  });

/** Sessions on a GPU also have one on the CPU until the first results of both have been compared. */
async function open({ key, path, threads, provider = 'cpu' }) {
  ort ??= require(library);
  if (!sessions.has(key)) {
    const session = provider === 'cpu' ? null : await create(path, threads, provider).catch(unusable);
    const onCpu = await create(path, threads, 'cpu');
    sessions.set(key, session ?? onCpu);
    if (session !== null) judges.set(key, onCpu);
  }
  const { inputNames, outputNames } = sessions.get(key);
  return { inputs: [...inputNames], outputs: [...outputNames] };
}

function unusable(error) {
  say({ unusable: `failed: ${reasonOf(error)}` });
  return null;
}

async function runIn(session, given) {
  const found = await session.run(given);
  return session.outputNames.map((name) => [name, plainOf(found[name])]);
}

async function run({ key, feeds }) {
  // All levels are read before anything can fail. Otherwise the next run would get the rest.
  const read = Object.entries(feeds).map(([name, feed]) => [name, { ...feed, data: dataOf(name, feed) }]);
  const given = Object.fromEntries(read.map(([name, feed]) => [name, tensorOf(feed)]));
  const judge = judges.get(key);
  const outputs = await (judge === undefined ? runIn(sessions.get(key), given) : comparedRun(key, given, judge));
  const bytes = outputs.reduce((sum, [, { data }]) => sum + data.byteLength, 0);
  if (bytes > maxOutputBytes) throw new Error('it returned more than 1 GiB');
  return Object.fromEntries(outputs);
}

/** The first run on a GPU. Its session is dropped if it fails or returns something else than the CPU. */
async function comparedRun(key, given, judge) {
  judges.delete(key);
  const expected = await runIn(judge, given);
  const found = await runIn(sessions.get(key), given).catch(unusable);
  if (found !== null && areAlike(found, expected)) return found;
  if (found !== null) say({ unusable: 'returned other results than the CPU' });
  sessions.set(key, judge);
  return expected;
}

/** Relative to the largest value of an output. GPUs round differently, and single scores may tip over. */
const tolerance = 0.02;
const tippedShare = 0.01;

function areAlike(found, expected) {
  return expected.every(([name, { data }], index) => {
    const other = found[index];
    if (other === undefined || other[0] !== name || other[1].data.length !== data.length) return false;
    let largest = 1e-6;
    for (const value of data) largest = Math.max(largest, Math.abs(Number(value)));
    let count = 0;
    for (let at = 0; at < data.length; at += 1) {
      if (!(Math.abs(Number(data[at]) - Number(other[1].data[at])) <= tolerance * largest)) count += 1;
    }
    return count <= tippedShare * data.length;
  });
}

/** Without stack frames and source positions, because they contain local paths. Sizes are on the lines after the first. */
const reasonOf = (error) =>
  String(error?.message ?? error)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(at |Stacktrace)|[\\/]/.test(line))
    .slice(0, 4)
    .join(' ')
    .slice(0, 1000) ||
  String(error?.message ?? error)
    .split('\n')[0]
    .slice(0, 1000);

async function answer({ id, command, ...more }) {
  try {
    say({ id, value: await (command === 'open' ? open(more) : run(more)) });
  } catch (error) {
    say({ id, failure: reasonOf(error) });
  }
}

let turn = Promise.resolve();
const take = (message) => {
  turn = turn.then(() => answer(message));
};
process.on('message', take);
process.on('disconnect', () => process.exit(0));
say({ id: 0, value: 'ready' });
