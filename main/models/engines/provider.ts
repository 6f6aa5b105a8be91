import type { DescribedFunction } from '../configuration/model-description.ts';

/** A call of a function: passed through as it is. */
export interface Invocation {
  readonly method: string;
  /** With its query, from `/` on. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Pieces that are sent one after the other: a large image is not copied into a larger body first. */
  readonly body: readonly Uint8Array[];
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Called when the function is sent it: what was before was waiting. */
  readonly onSend?: (() => void) | undefined;
}

export interface InvocationAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A function that a provider offers. */
export interface ProvidedFunction extends DescribedFunction {
  readonly provider: 'docker' | 'nuclio' | 'url' | 'limner' | 'native';
  readonly project: string;
  /** Nuclio's word for its state, or Limner's. */
  readonly state: string;
  readonly message: string;
  readonly port: number | null;
  /** Shown to and called by those alone who manage functions. */
  readonly isPrivate?: boolean;
  /** Which of its deployments it is, where that is counted. */
  readonly version?: number;
  /** How many calls it takes at the same time, as far as that is known. */
  readonly workers: number;
  /** How long a call may take before it is given up: longer than the function's own limit. */
  readonly timeoutMs: number;
}

/** Where functions come from: containers of this computer, a Nuclio dashboard, or plain addresses. */
export interface FunctionProvider {
  /** @throws AppError where they cannot be asked for */
  list(): Promise<readonly ProvidedFunction[]>;
  /** Null where the provider has no such function. */
  find(name: string): Promise<ProvidedFunction | null>;
  /** @throws InvocationProblem */
  invoke(name: string, invocation: Invocation): Promise<InvocationAnswer>;
}

/** How long CVAT waits for a function. */
export const defaultTimeoutMs = 120_000;
