import { createCall, type Call } from '../../preload/contract/client.ts';
import { send } from './transport.ts';

interface CallExtras {
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Record<string, string>;
  /** Lets a small request outlive the page. */
  readonly keepalive?: boolean;
  /** Slug of the organization to ask in, instead of the chosen one; null: wherever things are. */
  readonly organization?: string | null;
}

/** Calls one operation of the contract; throws ApiError. */
export const call: Call<CallExtras> = createCall<CallExtras>(
  ({ target, headers, ...request }, { organization, signal, ...extras }) => {
    const init = { ...request, ...extras, signal: signal ?? null, headers: { ...headers, ...extras.headers } };
    return send(target, init, organization);
  },
);
