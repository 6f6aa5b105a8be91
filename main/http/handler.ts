import type { BodyOf, OutputOf, ParamsOf, QueryOf } from '../../preload/contract/operation.ts';
import type { OperationId, Operations } from '../../preload/contract/operations/index.ts';
import type { Actor } from '../people/access/actor.ts';
import type { RequestContext } from './request-context.ts';

interface HandlerInput<Id extends OperationId> {
  readonly params: ParamsOf<Operations[Id]>;
  readonly query: QueryOf<Operations[Id]>;
  readonly body: BodyOf<Operations[Id]>;
  /** Asking for it on an open operation answers 401. */
  readonly actor: Actor;
  readonly request: RequestContext;
}

type Output<Id extends OperationId> = undefined extends OutputOf<Operations[Id]> ? void : OutputOf<Operations[Id]>;

type AnsweredJson = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>;

/** An output that is JSON already: what is large and asked for often is not written anew for every request. */
export interface Serialised<Value> {
  readonly json: AnsweredJson;
  /** Never there: says what the JSON is of. */
  readonly of?: Value;
}

/** @param json of a `Value`; the caller answers for it */
export const serialised = <Value>(json: AnsweredJson | Uint8Array): Serialised<Value> =>
  new SerialisedJson<Value>(json);

class SerialisedJson<Value> implements Serialised<Value> {
  declare readonly of?: Value;
  readonly json: AnsweredJson;

  constructor(json: AnsweredJson | Uint8Array) {
    // Made by `Buffer.from`, which never shares its memory with another thread.
    this.json = json as AnsweredJson;
  }
}

export const isSerialised = (output: unknown): output is Serialised<unknown> => output instanceof SerialisedJson;

/** A whole answer is one that is no JSON: the same data in another format. */
type Answered<Value> = Value | Serialised<Value> | Response;

type Handler<Id extends OperationId> = (
  input: HandlerInput<Id>,
) => Answered<Output<Id>> | Promise<Answered<Output<Id>>>;

/** A handler for every operation of the contract: one that is missing or mistyped does not compile. */
export type Handlers = { readonly [Id in OperationId]: Handler<Id> };

/** The handlers of one part of the contract. */
export type HandlersOf<Part extends Partial<Operations>> = Pick<Handlers, keyof Part & OperationId>;
