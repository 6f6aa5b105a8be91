/** A function's configuration, understood: every default filled in, every quantity a number. */
export interface FunctionConfiguration {
  readonly name: string;
  readonly namespace: string;
  readonly project: string;
  readonly labels: Readonly<Record<string, string>>;
  /** All values as texts, as Nuclio keeps them. */
  readonly annotations: Readonly<Record<string, string>>;
  readonly description: string;
  readonly handler: string;
  readonly runtime: Runtime;
  readonly env: readonly EnvironmentVariable[];
  /** An image that is ready to run; empty where one is made. */
  readonly image: string;
  readonly trigger: HttpTrigger;
  readonly volumes: readonly HostVolume[];
  readonly build: BuildConfiguration;
  readonly resources: ResourceLimits;
  readonly security: SecurityConfiguration;
  readonly restart: RestartConfiguration;
  readonly readinessTimeoutSeconds: number;
  readonly eventTimeoutMs: number;
  /** Stop after this long without a call; null: never. Undefined where the configuration does not say. */
  readonly idleStopSeconds: number | null | undefined;
}

export interface Runtime {
  readonly language: 'python' | 'nodejs' | 'other';
  /** As the configuration says it, for example `python:3.8`; may be empty. */
  readonly text: string;
}

export interface EnvironmentVariable {
  readonly name: string;
  readonly value: string;
}

export interface HttpTrigger {
  readonly name: string;
  /** Null where the configuration does not say. */
  readonly workers: number | null;
  /** How long a request waits for a free worker; 0: not at all. */
  readonly workerAvailabilityTimeoutMs: number;
  readonly maxRequestBodyBytes: number;
  /** A port of this machine that the function must have; null: one that is free. */
  readonly port: number | null;
  /** Address that the port is bound to. */
  readonly address: string;
}

export interface HostVolume {
  readonly name: string;
  readonly hostPath: string;
  readonly mountPath: string;
  readonly readOnly: boolean;
}

export interface Directive {
  /** Upper case, for example `RUN`. */
  readonly kind: string;
  readonly value: string;
}

export interface BuildConfiguration {
  readonly image: string;
  readonly baseImage: string;
  readonly preCopy: readonly Directive[];
  readonly postCopy: readonly Directive[];
  readonly args: Readonly<Record<string, string>>;
  /** A folder of this machine; empty where the configuration does not say. */
  readonly path: string;
  /** Base64 of the handler's only file. */
  readonly functionSourceCode: string;
  readonly noCache: boolean;
}

export interface ResourceLimits {
  readonly cpuCores: number | null;
  readonly memoryBytes: number | null;
  /** Processes and threads together; null: as many as workers and cores need. */
  readonly pidsLimit: number | null;
  /** Of /dev/shm; null: what the Engine gives. */
  readonly sharedMemoryBytes: number | null;
  /** Of /tmp; null: Limner's own. */
  readonly temporaryBytes: number | null;
  readonly gpuCount: number;
  /** Cards asked for by index or UUID; empty: any. */
  readonly gpuDevices: readonly string[];
  /** Memory on the card for each worker, as the configuration declares it. */
  readonly gpuMemoryMiB: number | null;
}

/** What a configuration asks for beyond the walls that every function gets. */
export interface SecurityConfiguration {
  readonly runAsUser: number | null;
  readonly runAsGroup: number | null;
  readonly extraGroups: readonly number[];
  readonly privileged: boolean;
  readonly allowPrivilegeEscalation: boolean;
  readonly writableRootFilesystem: boolean;
  /** Programs and libraries can be run from /tmp. */
  readonly executableTemporary: boolean;
  readonly addedCapabilities: readonly string[];
  readonly devices: readonly string[];
  /** A network of the Engine; empty: Limner's own, without a way out. */
  readonly network: string;
  readonly hostPid: boolean;
  readonly hostIpc: boolean;
  readonly hostUserNamespace: boolean;
  /** For example `seccomp=unconfined`. */
  readonly securityOptions: readonly string[];
}

export interface RestartConfiguration {
  readonly name: 'no' | 'on-failure';
  readonly maximumRetryCount: number;
}

export const defaults = {
  namespace: 'nuclio',
  project: 'default',
  triggerName: 'default-http',
  workerAvailabilityTimeoutMs: 10_000,
  maxRequestBodyBytes: 32 * 1024 * 1024,
  readinessTimeoutSeconds: 60,
  eventTimeoutMs: 30_000,
  address: '127.0.0.1',
} as const;
