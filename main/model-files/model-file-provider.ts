import { parseTolerantJson } from '../../preload/contract/tolerant-json.ts';
import { payloadContent } from '../functions/calls/function-payload.ts';
import { invalidField } from '../platform/errors.ts';
import { defaultTimeoutMs, type FunctionProvider, type ProvidedFunction } from '../functions/engines/provider.ts';
import { containerRuntime } from './container/container-runtime.ts';
import { annotationsOf } from './describe-model.ts';
import { descriptionFrom, factsOf, readPrompts, type ModelCall, type ModelFiles } from './model-files.ts';
import { requiredRow } from './model-file-service.ts';
import type { ModelFileStore } from './model-file-store.ts';
import type { ModelFileRepository, ModelFileRow } from './records/model-file-repository.ts';

/** Calls model files as functions. A model in a container is called by the same name as its function. */
export function createModelFileProvider(dependencies: {
  readonly files: Pick<ModelFiles, 'answer'>;
  readonly repository: Pick<ModelFileRepository, 'list' | 'get'>;
  readonly store: Pick<ModelFileStore, 'folderOf'>;
  readonly containers: FunctionProvider;
}): FunctionProvider {
  const { files, repository, store, containers } = dependencies;

  async function offered(row: ModelFileRow): Promise<ProvidedFunction | null> {
    if (row.is_in_container === 0) return provided(row);
    const found = await containers.find(row.name);
    return found && { ...found, annotations: annotationsOf(row.title, descriptionFrom(row)) };
  }

  return {
    list: async () => (await Promise.all(repository.list().map(offered))).filter((one) => one !== null),
    async find(name) {
      const row = repository.get(name);
      return row ? offered(row) : null;
    },
    async invoke(name, { body, signal, onSend, timeoutMs = defaultTimeoutMs }) {
      const row = requiredRow(repository, name);
      const model = {
        name,
        folder: store.folderOf(name),
        facts: factsOf(row.facts),
        decoder: row.decoder_facts === null ? null : factsOf(row.decoder_facts),
        description: descriptionFrom(row),
      };
      const call = readCall(body);
      const runtime =
        row.is_in_container === 1
          ? containerRuntime({ name, invoke: (invocation) => containers.invoke(name, invocation), timeoutMs, onSend })
          : undefined;
      const found = await files.answer(model, call, signal, runtime);
      const headers = { 'content-type': 'application/json' };
      return { status: 200, headers, body: Buffer.from(JSON.stringify(found)) };
    },
  };
}

function provided(row: ModelFileRow): ProvidedFunction {
  return {
    name: row.name,
    description: `${row.file_name}, in Limner`,
    annotations: annotationsOf(row.title, descriptionFrom(row)),
    provider: 'limner',
    project: 'default',
    state: 'ready',
    message: '',
    port: null,
    // One call runs in the process of the model while the image of the next one is prepared.
    workers: 2,
    timeoutMs: defaultTimeoutMs,
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads the body that CVAT sends to functions. */
function readCall(pieces: readonly Uint8Array[]): ModelCall {
  const own = payloadContent(pieces);
  const body = own?.fields ?? (Object(parseTolerantJson(Buffer.concat(pieces).toString('utf8'))) as Fields);
  const { image: encoded, threshold, text_prompts: phrases } = body;
  const image = own?.images['image'] ?? (typeof encoded === 'string' ? Buffer.from(encoded, 'base64') : null);
  if (image === null || image.length === 0) throw invalidField('image', 'The call contains no image.');
  return {
    image,
    threshold: typeof threshold === 'number' && Number.isFinite(threshold) ? threshold : null,
    prompts: readPrompts(body),
    phrases: Array.isArray(phrases) ? phrases.map(String) : [],
  };
}
