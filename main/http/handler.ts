import type { BodyOf, OutputOf, ParamsOf, QueryOf } from '../../preload/contract/operation.ts';
import type { OperationId, Operations } from '../../preload/contract/operations/index.ts';
import type { Actor } from '../core/actor.ts';
import type { RequestContext } from './request-context.ts';

export interface HandlerInput<Id extends OperationId> {
  readonly params: ParamsOf<Operations[Id]>;
  readonly query: QueryOf<Operations[Id]>;
  readonly body: BodyOf<Operations[Id]>;
  /** Asking for it on an open operation answers 401. */
  readonly actor: Actor;
  readonly request: RequestContext;
}

type Output<Id extends OperationId> = undefined extends OutputOf<Operations[Id]> ? void : OutputOf<Operations[Id]>;

export type Handler<Id extends OperationId> = (input: HandlerInput<Id>) => Output<Id> | Promise<Output<Id>>;

/** A handler for every operation of the contract: one that is missing or mistyped does not compile. */
export type Handlers = { readonly [Id in OperationId]: Handler<Id> };

/** The handlers of one part of the contract. */
export type HandlersOf<Part extends Partial<Operations>> = Pick<Handlers, keyof Part & OperationId>;
