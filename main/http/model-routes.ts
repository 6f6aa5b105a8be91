import { Readable } from 'node:stream';
import type { Services } from '../composition/services.ts';
import { encodeFor } from '../media/image-for.ts';
import { functionPayload } from '../functions/calls/function-payload.ts';
import { describeModel, ModelProblem } from '../functions/configuration/model-description.ts';
import { defaultTimeoutMs } from '../functions/engines/provider.ts';
import { AppError } from '../platform/errors.ts';
import { jsonAnswer, textAnswer } from './responses.ts';
import { contentType, hasBody, unsupportedMediaType } from './request-body.ts';
import { requestBytes } from './request-bytes.ts';
import type { RequestContext } from './request-context.ts';
import type { PlainRoute } from './route.ts';

type FunctionsCore = Pick<Services, 'functions' | 'frames'>;

const maxImageBytes = 256 * 1024 * 1024;

/** Logs, test calls and image archives: answers and bodies that are not JSON. */
export function modelRoutes(core: FunctionsCore): PlainRoute[] {
  return [
    {
      method: 'GET',
      path: '/api/models/functions/{name}/logs',
      summary: 'Log of the last deployment and of the container, as text',
      statuses: [200],
      parameters: [
        {
          name: 'follow',
          in: 'query',
          description: 'Continue until the client disconnects',
          values: ['true', 'false'],
        },
        { name: 'tail', in: 'query', description: "Number of lines of the container's log" },
      ],
      answer: (request, params) => answerLog(core, request, params['name'] ?? ''),
    },
    {
      method: 'POST',
      path: '/api/models/functions/{name}/invoke',
      summary: "Call a function directly with a JSON body or an image; returns the function's own answer",
      statuses: [200],
      answer: (request, params) => answerInvocation(core, request, params['name'] ?? ''),
    },
    {
      method: 'POST',
      path: '/api/models/images/upload',
      summary: 'Import an image archive (docker save) from the body',
      statuses: [200],
      answer: (request) => answerUpload(core, request),
    },
    {
      method: 'POST',
      path: '/api/models/files/upload',
      summary: 'Inspect an ONNX file from the body',
      statuses: [200],
      parameters: [{ name: 'name', in: 'query', description: 'Name of the file' }],
      answer: (request) => answerModelFile(core, request),
    },
  ];
}

async function answerLog({ functions }: FunctionsCore, request: RequestContext, name: string): Promise<Response> {
  const { actor, url } = request;
  if (url.searchParams.get('follow') !== 'true') {
    const tail = Number(url.searchParams.get('tail') ?? '1000');
    const lines = Number.isSafeInteger(tail) && tail > 0 ? Math.min(tail, 100_000) : 1000;
    return textAnswer(await functions.service.log(actor, name, lines), 200);
  }
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
      ...(level === null ? {} : { 'X-Limner-Log-Level': level, 'X-Nuclio-Log-Level': level }),
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
      ...(logs === undefined ? {} : { 'X-Limner-Logs': logs, 'X-Nuclio-Logs': logs }),
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

async function answerUpload({ functions }: FunctionsCore, { actor, raw }: RequestContext): Promise<Response> {
  const { body } = raw;
  if (!body) throw new AppError('invalid', 'The archive is missing: send it as the body of the request.');
  return jsonAnswer(await functions.service.importStream(actor, Readable.fromWeb(body)));
}

async function answerModelFile({ functions }: FunctionsCore, { actor, raw, url }: RequestContext): Promise<Response> {
  const { body } = raw;
  if (!body) throw new AppError('invalid', 'The file is missing: send it as the body of the request.');
  const name = (url.searchParams.get('name') ?? '').replaceAll(/[\\/]/g, '') || 'model.onnx';
  return jsonAnswer(await functions.modelFiles.inspectUpload(actor, Readable.fromWeb(body), name.slice(0, 255)));
}
