import { randomUUID } from 'node:crypto';
import type { ProvidedFunction } from '../engines/provider.ts';
import { describeModel, type ModelDescription } from '../configuration/model-description.ts';
import { isAllowed, noFacts } from '../../users/access/access-rules.ts';
import type { Actor } from '../../users/access/actor.ts';
import { ForwardedError } from '../../platform/errors.ts';
import type { FunctionCatalog } from '../catalog/function-catalog.ts';
import { forwarded, functionFailure } from './lambda-errors.ts';
import { parseTolerantJson } from '../../../preload/contract/tolerant-json.ts';

export interface Model {
  readonly description: ModelDescription;
  readonly provided: ProvidedFunction;
}

export const isShownTo = (actor: Actor, { isPrivate = false }: Pick<ProvidedFunction, 'isPrivate'>): boolean =>
  !isPrivate || isAllowed(actor, 'function', 'manage', noFacts);

export type ModelCaller = ReturnType<typeof createModelCaller>;

/** Calls functions as models and reports errors that CVAT's clients know. */
export function createModelCaller(catalog: Pick<FunctionCatalog, 'find' | 'invoke'>) {
  return {
    /** @throws ForwardedError 404 for an unknown function, 500 if it is not a model */
    async find(id: string, actor: Actor): Promise<Model> {
      try {
        const provided = await catalog.find(id);
        if (!provided || !isShownTo(actor, provided)) throw new ForwardedError(404, `There is no function "${id}".`);
        return { provided, description: describeModel(provided) };
      } catch (error) {
        throw forwarded(error);
      }
    },
    /**
     * Returns the parsed answer.
     * @throws ForwardedError 503, 504, or the function's own status
     */
    async call({ description, provided }: Model, body: readonly Uint8Array[], signal?: AbortSignal): Promise<unknown> {
      try {
        const answer = await catalog.invoke(description.id, {
          method: 'POST',
          path: '/',
          // Nuclio functions parse the body only with exactly this type.
          headers: { 'Content-Type': 'application/json', 'X-Limner-Invocation-Id': randomUUID() },
          body,
          timeoutMs: provided.timeoutMs,
          signal,
        });
        if (answer.status < 200 || answer.status > 299) throw functionFailure(description.id, answer);
        return parse(description.id, answer.body);
      } catch (error) {
        throw forwarded(error);
      }
    },
  };
}

function parse(id: string, body: Buffer): unknown {
  try {
    return parseTolerantJson(body.toString('utf8'));
  } catch (cause) {
    const shown = body.toString('utf8', 0, 200).replaceAll(/\s+/g, ' ');
    throw new ForwardedError(500, `The function "${id}" did not return JSON: ${shown}`, { cause });
  }
}
