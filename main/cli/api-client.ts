import { createCall, type Call, messageOfAnswer, parseBody } from '../../preload/contract/client.ts';
import { ApiFailure } from './exit-codes.ts';

/** A client of the service API: the command line has no other way to the data. All that fails throws ApiFailure. */
export interface ApiClient {
  readonly baseUrl: string;
  readonly call: Call<object>;
  /** A route beside the table of operations; `target` is a path below the base address. */
  readonly send: (target: string, init?: RequestInit) => Promise<Response>;
}

export function createApiClient(baseUrl: string, authorization: string): ApiClient {
  async function send(target: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('authorization', authorization);
    const response = await fetch(new URL(target, baseUrl), { ...init, headers, redirect: 'error' });
    if (response.ok) return response;
    // The service says in a whole sentence what is wrong; another program's page is not for the terminal.
    const message = messageOfAnswer(response.status, parseBody(await response.text())).slice(0, 2000);
    throw new ApiFailure(response.status, message);
  }
  return { baseUrl, send, call: createCall<object>(({ target, ...request }) => send(target, request)) };
}
