import { AsyncLocalStorage } from 'node:async_hooks';

const scope = new AsyncLocalStorage<string | undefined>();

/** Id of the HTTP request that causes what runs now, as its answer's `X-Request-Id` names it. */
export const causingRequest = (): string | undefined => scope.getStore();

/** @param id undefined: no request is known to be the cause */
export const causedBy = <Result>(id: string | undefined, work: () => Result): Result => scope.run(id, work);
