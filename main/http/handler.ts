import type { BodyOf, OutputOf, ParamsOf, QueryOf } from '../../preload/contract/operation.ts';
import type {
  OperationId,
  Operations,
  RawOperationId,
  RawOperations,
} from '../../preload/contract/operations/index.ts';
import type { Actor } from '../users/access/actor.ts';
import type { ReadPortions } from './large-body.ts';
import type { RequestContext } from './request-context.ts';

interface HandlerInput<Id extends OperationId> {
  readonly params: ParamsOf<Operations[Id]>;
  readonly query: QueryOf<Operations[Id]>;
  readonly body: BodyOf<Operations[Id]>;
  /** Reading it on an open operation answers 401. */
  readonly actor: Actor;
  readonly request: RequestContext;
}

type Output<Id extends OperationId> = undefined extends OutputOf<Operations[Id]> ? void : OutputOf<Operations[Id]>;

type AnsweredJson = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>;

/** Output that is already JSON. Large, frequently requested answers are not serialized again for each request. */
export interface Serialised<Value> {
  readonly json: AnsweredJson;
  /** Never set: carries the type of the JSON's value. */
  readonly of?: Value;
}

/** @param json of a `Value`; the caller answers for it */
export const serialised = <Value>(json: AnsweredJson | Uint8Array): Serialised<Value> =>
  new SerialisedJson<Value>(json);

class SerialisedJson<Value> implements Serialised<Value> {
  declare readonly of?: Value;
  readonly json: AnsweredJson;

  constructor(json: AnsweredJson | Uint8Array) {
    // Created by `Buffer.from`, which never uses shared memory.
    this.json = json as AnsweredJson;
  }
}

export const isSerialised = (output: unknown): output is Serialised<unknown> => output instanceof SerialisedJson;

/** A `Response` is for the same data in another format than JSON. */
type Answered<Value> = Value | Serialised<Value> | Response;

type Handler<Id extends OperationId> = (
  input: HandlerInput<Id>,
) => Answered<Output<Id>> | Promise<Answered<Output<Id>>>;

/** One handler for every operation of the contract. A missing or mistyped one does not compile. */
export type Handlers = { readonly [Id in OperationId]: Handler<Id> };

export type HandlersOf<Part extends Partial<Operations>> = Pick<Handlers, keyof Part & OperationId>;

/**
 * Handlers of bodies that are too large for memory. They return undefined, without reading, if the other handler of the
 * operation has to take the request.
 */
export type LargeBodyHandlers = {
  readonly [Id in OperationId]?: (
    input: Omit<HandlerInput<Id>, 'body'> & { readonly read: ReadPortions<BodyOf<Operations[Id]>> },
  ) => Promise<Serialised<Output<Id>>> | undefined;
};

interface RawInput<Id extends RawOperationId> {
  readonly params: ParamsOf<RawOperations[Id]>;
  /** Parsed when it is read: handlers check access first. */
  readonly query: QueryOf<RawOperations[Id]>;
  readonly actor: Actor;
  readonly request: RequestContext;
}

/** Returns the answer, or a JSON body for the operation's first status. */
type RawHandler<Id extends RawOperationId> = (input: RawInput<Id>) => object | Promise<object>;

/** One handler for every raw operation of the contract. */
export type RawHandlers = { readonly [Id in RawOperationId]: RawHandler<Id> };

export type RawHandlersOf<Part extends Partial<RawOperations>> = Pick<RawHandlers, keyof Part & RawOperationId>;
