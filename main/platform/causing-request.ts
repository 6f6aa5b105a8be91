import { AsyncLocalStorage } from 'node:async_hooks';

const scope = new AsyncLocalStorage<string | undefined>();

/** Id of the HTTP request that causes the running code, as in its response's `X-Request-Id`. */
export const causingRequest = (): string | undefined => scope.getStore();

/** @param id undefined: no request is known to be the cause */
export const causedBy = <Result>(id: string | undefined, work: () => Result): Result => scope.run(id, work);
