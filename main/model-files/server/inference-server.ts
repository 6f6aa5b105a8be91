import { AppError, invalidField } from '../../platform/errors.ts';
import type { Invoker } from '../../functions/engines/invoke.ts';
import { defaultTimeoutMs, type InvocationAnswer } from '../../functions/engines/provider.ts';
import type { OnnxFacts, OnnxValue, ServedModel } from '../onnx/read-onnx.ts';
import { RuntimeProblem, type ModelRuntime } from '../runtime/runtime-process.ts';
import type { Outputs, Tensor } from '../tensor.ts';
import { arrayOf, binaryOf, typeNames, typeOfName } from './protocol-types.ts';

/** Open Inference Protocol over HTTP (KServe v2), as Triton, KServe, OpenVINO Model Server and MLServer speak it. */

interface ProtocolTensor {
  readonly name: string;
  readonly datatype: string;
  readonly shape: readonly number[];
  readonly data?: readonly unknown[];
  readonly parameters?: { readonly binary_data_size?: number };
}

const lengthHeader = 'Inference-Header-Content-Length';
const binaryExtension = 'binary_tensor_data';
const questionTimeoutMs = 10_000;

/** @throws AppError 400 for an address without a model */
function servedModel(address: string): Omit<ServedModel, 'isBinary'> {
  const url = new URL(address);
  const [, before = '', model, version = null] =
    /^(.*)\/v2\/models\/([^/]+)(?:\/versions\/([^/]+))?\/?$/.exec(url.pathname) ?? [];
  if (model !== undefined) return { url: `${url.origin}${before}`, model: decodeURIComponent(model), version };
  const example = `${url.origin}/v2/models/NAME`;
  throw invalidField('url', `${address} names no model of an inference server. Enter its address as ${example}.`);
}

const pathOf = ({ url, model, version }: Omit<ServedModel, 'isBinary'>): string =>
  `${new URL(url).pathname.replace(/\/$/, '')}/v2/models/${encodeURIComponent(model)}${version === null ? '' : `/versions/${encodeURIComponent(version)}`}`;

/** Asks the server for the inputs and outputs of a model. @throws AppError with the server's reason */
export async function readServedModel(invoker: Invoker, address: string): Promise<OnnxFacts> {
  const served = servedModel(address);
  const host = new URL(served.url).host;
  const base = new URL(served.url).pathname.replace(/\/$/, '');
  const get = (path: string): Promise<InvocationAnswer> =>
    invoker.send(served.url, { method: 'GET', path, headers: {}, body: [], timeoutMs: questionTimeoutMs });
  const ready = await get(`${base}/v2/health/ready`);
  if (ready.status !== 200) {
    throw new AppError(
      'unavailable',
      `The inference server at ${host} is not ready (${ready.status}). Try again later.`,
    );
  }
  const about = await get(`${base}/v2`);
  const { extensions = [] } = (about.status === 200 ? jsonOf(about.body) : {}) as { extensions?: readonly string[] };
  const found = await get(pathOf(served));
  if (found.status !== 200) {
    const reason = reasonOf(found);
    throw invalidField('url', `The inference server at ${host} does not offer "${served.model}": ${reason}.`);
  }
  const {
    platform = '',
    inputs,
    outputs,
  } = jsonOf(found.body) as {
    platform?: string;
    inputs?: readonly ProtocolTensor[];
    outputs?: readonly ProtocolTensor[];
  };
  if (!inputs?.length || !outputs?.length) {
    const message = `The inference server at ${host} does not describe the inputs and outputs of "${served.model}". Add them to the settings of the model on the server.`;
    throw invalidField('url', message);
  }
  return {
    producer: platform,
    operatorSet: 0,
    nodeCount: 0,
    inputs: inputs.map(valueOf),
    outputs: outputs.map(valueOf),
    metadata: {},
    served: { ...served, isBinary: extensions.includes(binaryExtension) },
  };
}

/** @throws AppError if the server is not ready to run the model */
export async function checkServedModel(invoker: Invoker, served: ServedModel): Promise<void> {
  const path = `${pathOf(served)}/ready`;
  const answer = await invoker.send(served.url, {
    method: 'GET',
    path,
    headers: {},
    body: [],
    timeoutMs: questionTimeoutMs,
  });
  if (answer.status === 200) return;
  const { host } = new URL(served.url);
  throw new AppError(
    'unavailable',
    `The server at ${host} is not ready to run "${served.model}": ${reasonOf(answer)}.`,
  );
}

/** Free sizes are -1 in the protocol. */
const valueOf = ({ name, datatype, shape }: ProtocolTensor): OnnxValue => ({
  name,
  type: typeOfName(datatype),
  dimensions: shape.map((size, axis) => (size < 0 ? `axis ${axis}` : size)),
});

/** Runs a model on its server, with the same input and output as in a local process. */
export function serverRuntime(invoker: Invoker, name: string, served: ServedModel): Pick<ModelRuntime, 'run'> {
  return {
    async run(_file, feeds, signal): Promise<Outputs> {
      const inputs = Object.entries(feeds);
      const { body, headers } = served.isBinary || inputs.some(isHalf) ? binaryRequest(inputs) : jsonRequest(inputs);
      const path = `${pathOf(served)}/infer`;
      const timeoutMs = defaultTimeoutMs;
      const answer = await invoker.send(served.url, { method: 'POST', path, headers, body, timeoutMs, signal });
      if (answer.status !== 200) throw refused(name, served, answer);
      try {
        return outputsOf(answer);
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause);
        throw new RuntimeProblem(`The server of "${name}" did not return tensors: ${reason}.`, 'invalid', cause);
      }
    },
  };
}

/** One line about the place where a model runs. */
export const serverLine = ({ url }: ServedModel): string => `Server ${new URL(url).host}`;

/** JSON has no 16-bit floats. */
const isHalf = ([, { type }]: readonly [string, Tensor]): boolean => type === 'float16';

function binaryRequest(inputs: readonly (readonly [string, Tensor])[]) {
  const pieces = inputs.map(([, tensor]) => binaryOf(tensor));
  const header = Buffer.from(
    JSON.stringify({
      inputs: inputs.map(([name, { type, dims }], index) => ({
        name,
        shape: dims,
        datatype: typeNames[type],
        parameters: { binary_data_size: pieces[index]?.byteLength ?? 0 },
      })),
      parameters: { binary_data_output: true },
    }),
  );
  const headers = { 'Content-Type': 'application/octet-stream', [lengthHeader]: String(header.length) };
  return { headers, body: [header, ...pieces] };
}

function jsonRequest(inputs: readonly (readonly [string, Tensor])[]) {
  const body = {
    inputs: inputs.map(([name, { type, dims, data }]) => ({
      name,
      shape: dims,
      datatype: typeNames[type],
      data: Array.from(data as Iterable<number | bigint>, Number),
    })),
  };
  return { headers: { 'Content-Type': 'application/json' }, body: [Buffer.from(JSON.stringify(body))] };
}

function outputsOf({ headers, body }: InvocationAnswer): Outputs {
  const length = headers[lengthHeader.toLowerCase()];
  let offset = length === undefined ? body.length : Number(length);
  const { outputs } = jsonOf(body.subarray(0, offset)) as { outputs: readonly ProtocolTensor[] };
  const tensors = outputs.map(({ name, datatype, shape, data, parameters }): [string, Tensor] => {
    const size = parameters?.binary_data_size;
    const end = offset + (size ?? 0);
    if (end > body.length) throw new Error(`the output "${name}" is incomplete`);
    const values = arrayOf(datatype, size === undefined ? (data ?? []).flat(Infinity) : body.subarray(offset, end));
    offset = end;
    const type = typeOfName(datatype);
    const count = shape.reduce((product, side) => product * side, 1);
    if (values.length !== count)
      throw new Error(`the output "${name}" has ${values.length} values instead of ${count}`);
    return [
      name,
      { type: type === 'float16' ? 'float32' : type === 'bool' ? 'uint8' : type, dims: shape, data: values },
    ];
  });
  return Object.fromEntries(tensors);
}

const jsonOf = (body: Buffer): unknown => JSON.parse(body.toString('utf8'));

/** The protocol's errors are `{ "error": "…" }`. */
function reasonOf({ status, body }: InvocationAnswer): string {
  try {
    const { error } = jsonOf(body) as { error?: unknown };
    if (typeof error === 'string') return `${error.slice(0, 600).replace(/\.$/, '')} (${status})`;
  } catch {
    // Not JSON.
  }
  return `it answered ${status}`;
}

/** A server that restarts or unloads the model may offer it later. */
function refused(name: string, { url }: ServedModel, answer: InvocationAnswer): RuntimeProblem {
  const message = `Cannot run "${name}" on ${new URL(url).host}: ${reasonOf(answer)}.`;
  return new RuntimeProblem(message, [404, 429, 502, 503].includes(answer.status) ? 'unavailable' : 'invalid');
}
