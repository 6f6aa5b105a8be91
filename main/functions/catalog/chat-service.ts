import type { z } from 'zod';
import type { chatModelWriteSchema, ModelFunction } from '../../../preload/contract/schema/functions.ts';
import { invalidField } from '../../platform/errors.ts';
import { noFacts, requireAllowed } from '../../users/access/access-rules.ts';
import type { Actor } from '../../users/access/actor.ts';
import { chatAnnotations, chatModels, chatProtocol } from '../engines/chat/chat-endpoint.ts';
import type { Invoker } from '../engines/invoke.ts';
import type { createFunctionService } from './function-service.ts';

/** Vision models on a CPU take minutes for an image. */
const timeout = '600s';

/** Vision models behind chat endpoints, which fill in attributes and captions. */
export function createChatService({
  functions,
  invoker,
}: {
  readonly functions: Pick<ReturnType<typeof createFunctionService>, 'addEndpoint'>;
  readonly invoker: Invoker;
}) {
  return {
    async addChatModel(actor: Actor, body: z.output<typeof chatModelWriteSchema>): Promise<ModelFunction> {
      requireAllowed(actor, 'function', 'manage', noFacts);
      const url = body.url.replace(/\/+$/, '').replace(/\/chat\/completions$/, '');
      const headers: Record<string, string> = body.api_key === '' ? {} : { Authorization: `Bearer ${body.api_key}` };
      const model = chosenModel(await chatModels(invoker, { url, headers }), body.model, url);
      const annotations = {
        name: body.title || model,
        type: 'detector',
        spec: '',
        fills_attributes: 'true',
        image_formats: 'jpeg,png',
        [chatAnnotations.protocol]: chatProtocol,
        [chatAnnotations.model]: model,
        [chatAnnotations.instructions]: body.instructions,
      };
      const name = body.name || nameOf(model);
      const spec = { description: `${model}, chat endpoint`, eventTimeout: timeout };
      const configuration = JSON.stringify({ metadata: { name, annotations }, spec });
      return functions.addEndpoint(actor, { configuration, url, headers });
    },
  };
}

function chosenModel(offered: readonly string[], wanted: string, url: string): string {
  const list = offered.slice(0, 20).join(', ');
  if (wanted !== '') {
    if (offered.includes(wanted)) return wanted;
    throw invalidField('model', `${url} does not offer "${wanted}". It offers: ${list || 'no model'}.`);
  }
  const [only, ...others] = offered;
  if (only === undefined) throw invalidField('url', `${url} offers no model. Load one on the server.`);
  if (others.length === 0) return only;
  throw invalidField('model', `${url} offers ${offered.length} models. Choose one of: ${list}.`);
}

/** Files of llama.cpp are named by their path. */
const nameOf = (model: string): string =>
  model
    .replace(/^.*[\\/]/, '')
    .replace(/\.gguf$/i, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 63) || 'chat-model';
