import type { OperationId } from '../../../preload/contract/operations/index.ts';
import type { Caller, Input } from '../people/people-harness.ts';
import type { OperationWorld } from './operation-world.ts';

/**
 * Outcome for a signed-in stranger: the status of the refusal; `everybody` if no permission is needed; `sees less` if the
 * list is returned without the object.
 */
type Denied = 400 | 404 | 'everybody' | 'sees less';

type Wrong<Id extends OperationId> = readonly [status: number, change: Partial<Input<Id>>];

/** Requests for one operation; `every-operation.test.ts` adds those that are common to all. */
export interface OperationCase<Id extends OperationId> {
  /** The caller with permission; by default the boss, who owns everything. */
  readonly caller?: (world: OperationWorld) => Caller;
  /** A request that succeeds. It is sent last, after all requests that must not change its object. */
  readonly good: (world: OperationWorld) => Input<Id> | Promise<Input<Id>>;
  readonly denied?: Denied;
  readonly bad?: (world: OperationWorld) => readonly Wrong<Id>[];
  /** Set if the operation takes no input that could be invalid. */
  readonly takesAnything?: true;
  /** Status of the good request if the operation needs a program that contract tests do not have. */
  readonly goodStatus?: number;
}

export type CasesOf<Part> = { readonly [Id in keyof Part & OperationId]: OperationCase<Id> };
