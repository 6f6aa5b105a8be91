import type { OperationId } from '../../../preload/contract/operations/index.ts';
import type { Caller, Input } from '../people/people-harness.ts';
import type { OperationWorld } from './operation-world.ts';

/**
 * What becomes of somebody who is signed in and has nothing to do with the object: the status of the refusal;
 * `everybody` where no permission is needed; `sees less` where the same list is answered without the object.
 */
type Denied = 400 | 404 | 'everybody' | 'sees less';

type Wrong<Id extends OperationId> = readonly [status: number, change: Partial<Input<Id>>];

/** The requests that each operation is tried with; `every-operation.test.ts` adds those that all have in common. */
export interface OperationCase<Id extends OperationId> {
  /** Who may; the boss, to whom everything belongs, when missing. */
  readonly caller?: (world: OperationWorld) => Caller;
  /** A request that is answered well. It is sent last, after everything that must leave its object alone. */
  readonly good: (world: OperationWorld) => Input<Id> | Promise<Input<Id>>;
  /** Refused with 403, when missing. */
  readonly denied?: Denied;
  /** Requests that differ from the good one, and the status of their answer. */
  readonly bad?: (world: OperationWorld) => readonly Wrong<Id>[];
  /** Set for one that does the same wherever it is asked: nothing that it takes can be wrong. */
  readonly takesAnything?: true;
  /** The good answer where the operation needs a program that a test of the contract does not have. */
  readonly goodStatus?: number;
}

export type CasesOf<Part> = { readonly [Id in keyof Part & OperationId]: OperationCase<Id> };
