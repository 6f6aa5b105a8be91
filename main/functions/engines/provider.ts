import type { DescribedFunction } from '../configuration/model-description.ts';

export interface Invocation {
  readonly method: string;
  /** Path and query, starting with `/`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Chunks sent in order, so that a large image is not copied into an even larger body. */
  readonly body: readonly Uint8Array[];
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Called when the request is sent. The time before is queueing time. */
  readonly onSend?: () => void;
}

export interface InvocationAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface ProvidedFunction extends DescribedFunction {
  readonly provider: 'docker' | 'nuclio' | 'url' | 'limner' | 'native';
  readonly project: string;
  /** State in Nuclio's or Limner's terms. */
  readonly state: string;
  readonly message: string;
  readonly port: number | null;
  /** True if only users who manage functions can see and call it. */
  readonly isPrivate?: boolean;
  /** Deployment number, if the provider counts deployments. */
  readonly version?: number;
  /** Number of parallel calls, if known. */
  readonly workers: number;
  /** Timeout of a call; longer than the function's own limit. */
  readonly timeoutMs: number;
}

/** A source of functions: local containers, a Nuclio dashboard, or URLs. */
export interface FunctionProvider {
  /** @throws AppError if the functions cannot be listed */
  list(): Promise<readonly ProvidedFunction[]>;
  /** Null if the provider does not have the function. */
  find(name: string): Promise<ProvidedFunction | null>;
  /** @throws InvocationProblem */
  invoke(name: string, invocation: Invocation): Promise<InvocationAnswer>;
}

/** CVAT's timeout for a function. */
export const defaultTimeoutMs = 120_000;
