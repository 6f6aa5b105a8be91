import { Readable } from 'node:stream';
import type { Services } from '../../composition/services.ts';
import { encodeFor } from '../../media/image-for.ts';
import { functionPayload } from '../../functions/calls/function-payload.ts';
import { describeModel, ModelProblem } from '../../functions/configuration/model-description.ts';
import { defaultTimeoutMs } from '../../functions/engines/provider.ts';
import { AppError } from '../../platform/errors.ts';
import { textAnswer } from '../responses.ts';
import { contentType, hasBody, unsupportedMediaType } from '../request-body.ts';
import { requestBytes } from '../request-bytes.ts';
import type { RequestContext } from '../request-context.ts';
import type { RawHandlersOf } from '../handler.ts';
import type { functionFileOperations } from '../../../preload/contract/operations/files.ts';
import { defined } from '../../platform/defined.ts';

type FunctionsCore = Pick<Services, 'functions' | 'frames'>;

const maxImageBytes = 256 * 1024 * 1024;

export function createFunctionFileHandlers(core: FunctionsCore): RawHandlersOf<typeof functionFileOperations> {
  const { service, modelFiles } = core.functions;
  return {
    async getModelLog({ actor, params: { name }, query, request }) {
      if (query.follow === 'true') return followedLog(core, request, name);
      const tail = Number(query.tail ?? '1000');
      const lines = Number.isSafeInteger(tail) && tail > 0 ? Math.min(tail, 100_000) : 1000;
      return textAnswer(await service.log(actor, name, lines), 200);
    },
    invokeModel: ({ params, request }) => answerInvocation(core, request, params.name),
    async uploadModelImages({ actor, request: { raw } }) {
      if (!raw.body) throw new AppError('invalid', 'The archive is missing: send it as the body of the request.');
      return service.importStream(actor, Readable.fromWeb(raw.body));
    },
    async uploadModelFile({ actor, query, request: { raw } }) {
      if (!raw.body) throw new AppError('invalid', 'The file is missing: send it as the body of the request.');
      const name = (query.name ?? '').replaceAll(/[\\/]/g, '') || 'model.onnx';
      return modelFiles.inspectUpload(actor, Readable.fromWeb(raw.body), name.slice(0, 255), query.model ?? null);
    },
  };
}

function followedLog({ functions }: FunctionsCore, request: RequestContext, name: string): Response {
  const { actor } = request;
  functions.service.get(actor, name);
  const lines = functions.service.followLog(actor, name, request.signal);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await lines.next();
      if (done) controller.close();
      else controller.enqueue(Buffer.from(value));
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
  return new Response(body, {
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  });
}

async function answerInvocation(
  { functions, frames }: FunctionsCore,
  request: RequestContext,
  name: string,
): Promise<Response> {
  const { actor, raw, signal } = request;
  const provided = await functions.catalog.find(name);
  if (!provided) throw new AppError('not-found', `There is no function "${name}".`, { detail: 'Not found.' });
  const isImage = contentType(raw.headers).startsWith('image/');
  const body = isImage
    ? functionPayload(
        { image: await imageFor(frames, provided, await bytesOf(request)) },
        { ...interactorFields(request) },
      )
    : [await jsonBytes(request)];
  const level = raw.headers.get('X-Limner-Log-Level') ?? raw.headers.get('X-Nuclio-Log-Level');
  const answer = await functions.service.invoke(actor, name, {
    method: 'POST',
    path: '/',
    headers: {
      'Content-Type': 'application/json',
      ...defined({ 'X-Limner-Log-Level': level ?? undefined, 'X-Nuclio-Log-Level': level ?? undefined }),
    },
    body,
    timeoutMs: provided.timeoutMs || defaultTimeoutMs,
    signal,
  });
  const logs = answer.headers['x-limner-logs'] ?? answer.headers['x-nuclio-logs'];
  return new Response(new Uint8Array(answer.body), {
    status: answer.status,
    headers: {
      'Content-Type': answer.headers['content-type'] ?? 'application/octet-stream',
      'Cache-Control': 'no-store',
      ...defined({ 'X-Limner-Logs': logs, 'X-Nuclio-Logs': logs }),
    },
  });
}

/** Reads JSON as bytes: parsing and serializing megabytes would take most of the time of a call. */
async function jsonBytes(request: RequestContext): Promise<Buffer> {
  const { headers } = request.raw;
  if (!hasBody(headers)) return Buffer.from('{}');
  if (contentType(headers) !== 'application/json') throw unsupportedMediaType(headers);
  return bytesOf(request);
}

/** Converts an image for the function's model: upright, and in a format that the model reads. */
async function imageFor(
  { pictures }: FunctionsCore['frames'],
  provided: Parameters<typeof describeModel>[0],
  bytes: Buffer,
): Promise<Buffer> {
  try {
    return await encodeFor(pictures, bytes, 'the image', describeModel(provided).imageFormats);
  } catch (error) {
    if (error instanceof ModelProblem) return bytes;
    throw error;
  }
}

/** If the body is an image, the other fields of the call are JSON text in the query. */
function interactorFields({ url }: RequestContext): Record<string, unknown> {
  const text = url.searchParams.get('fields');
  if (text === null) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch (cause) {
    throw new AppError('invalid', 'The fields are not valid JSON.', { fields: ['Not valid JSON.'] }, { cause });
  }
}

async function bytesOf(request: RequestContext): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let received = 0;
  for await (const piece of requestBytes(request).pieces) {
    received += piece.byteLength;
    if (received > maxImageBytes) {
      throw new AppError('too-large', `The image is larger than ${maxImageBytes / 1024 / 1024} MiB.`);
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
