import type { AnyOperation, RawOperation } from '../../preload/contract/operation.ts';
import type { OperationId } from '../../preload/contract/operations/index.ts';
import { notFound } from '../platform/errors.ts';
import { answerFor, contractOf, queryFor } from './client-contract.ts';
import { bytesAnswer, completeAnswer, emptyAnswer, jsonAnswer } from './responses.ts';
import { isSerialised } from './handler.ts';
import { isLarge, readPortions, type ReadPortions } from './large-body.ts';
import { readJson } from './request-body.ts';
import type { RequestContext } from './request-context.ts';
import { openRequest, type HttpContext, type RouteDependencies } from './route.ts';
import { parseBody, parseInput } from './validation.ts';
import { checkAccept } from './versioning.ts';

/** Handler without its types. The table guarantees that its input was parsed by the operation's schemas. */
export type AnyHandler = (input: {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly actor: RequestContext['actor'];
  readonly request: RequestContext;
}) => unknown;

/** {@link AnyHandler} of a body that is read in portions; see `LargeBodyHandlers`. */
export type AnyLargeBodyHandler = (
  input: Omit<Parameters<AnyHandler>[0], 'body'> & { readonly read: ReadPortions<unknown> },
) => Promise<unknown> | undefined;

interface OperationHandlers {
  readonly handler: AnyHandler;
  readonly large?: AnyLargeBodyHandler | undefined;
}

export function operationRoute(
  id: OperationId,
  operation: AnyOperation,
  { handler, large }: OperationHandlers,
  dependencies: RouteDependencies,
) {
  return async (context: HttpContext): Promise<Response> => {
    const request = await openRequest(dependencies, context, operation.open === true);
    checkAccept(request.raw.headers.get('Accept'));
    const params = parseParams(operation, context.req.param());
    const contract = contractOf(request.raw.headers.get('User-Agent'));
    const query = operation.query && parseInput(operation.query, queryFor(contract, id, context.req.query()));
    const { body: schema } = operation;
    const input = {
      params,
      query,
      request,
      get actor() {
        return request.actor;
      },
    };
    const read: ReadPortions<unknown> = (take) => readPortions(schema!, request, take);
    // Assigned, because a spread would read the actor.
    const inPortions = schema && isLarge(request.raw) ? large?.(Object.assign(input, { read })) : undefined;
    const parsed = async () => schema && parseBody(schema, await readJson(request.raw));
    const output = await (inPortions ?? handler(Object.assign(input, { body: await parsed() })));
    if (output === undefined) return emptyAnswer(operation.status, request.addedHeaders);
    if (output instanceof Response) return output;
    const json = isSerialised(output) ? output.json : JSON.stringify(answerFor(contract, id, output));
    // No one reads the body of an answer to HEAD.
    if (json instanceof ReadableStream && request.raw.method === 'HEAD') await json.cancel();
    if (request.addedHeaders) return bytesAnswer(json, operation.status, request.addedHeaders);
    context.set('isComplete', true);
    return completeAnswer(json, operation.status, request.requestId);
  };
}

/** {@link AnyHandler} of a raw operation. */
export type AnyRawHandler = (input: Omit<Parameters<AnyHandler>[0], 'body'>) => object | Promise<object>;

export function rawRoute(operation: RawOperation, handler: AnyRawHandler, dependencies: RouteDependencies) {
  return async (context: HttpContext): Promise<Response> => {
    const request = await openRequest(dependencies, context, operation.open === true);
    const output = await handler({
      params: parseParams(operation, context.req.param()),
      request,
      get query() {
        return operation.query && parseInput(operation.query, context.req.query());
      },
      get actor() {
        return request.actor;
      },
    });
    const answer = output instanceof Response ? output : jsonAnswer(output, operation.statuses[0]);
    request.addedHeaders?.forEach((value, name) => answer.headers.append(name, value));
    return answer;
  };
}

/** An invalid id answers 404, because nothing has it. */
function parseParams({ params }: AnyOperation | RawOperation, input: unknown): unknown {
  if (!params) return undefined;
  const parsed = params.safeParse(input);
  if (!parsed.success) throw notFound();
  return parsed.data;
}
