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
