import { createCall, type Call, messageOfAnswer, parseBody } from '../../preload/contract/client.ts';
import { ApiFailure } from './exit-codes.ts';

/** Client of the service API, the only way for commands to reach the data. Every failure throws ApiFailure. */
export interface ApiClient {
  readonly baseUrl: string;
  readonly call: Call<object>;
  /** Calls a route that is not in the table of operations; `target` is a path below the base address. */
  readonly send: (target: string, init?: RequestInit) => Promise<Response>;
}

export function createApiClient(baseUrl: string, authorization: string): ApiClient {
  async function send(target: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('authorization', authorization);
    const response = await fetch(new URL(target, baseUrl), { ...init, headers, redirect: 'error' });
    if (response.ok) return response;
    // Limner answers errors in full sentences. Cut to 2,000 characters because another program may answer with a page.
    const message = messageOfAnswer(response.status, parseBody(await response.text())).slice(0, 2000);
    throw new ApiFailure(response.status, message);
  }
  return { baseUrl, send, call: createCall<object>(({ target, ...request }) => send(target, request)) };
}
