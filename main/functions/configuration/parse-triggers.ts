import type { FieldReader } from './field-reader.ts';
import { defaults } from './defaults.ts';
import { parseQuantity } from './quantities.ts';

/** Nuclio's limit; every worker is a process. */
const maxWorkers = 100_000;
const maxWaitMs = 24 * 60 * 60 * 1000;
const maxBodyBytes = 2 * 1024 ** 3;

type HttpTrigger = ReturnType<typeof readTrigger>;

/** Returns the only HTTP trigger, or Nuclio's default trigger if none is named. */
export function readHttpTrigger(triggers: FieldReader): HttpTrigger {
  const named = triggers.keys.map((key) => ({ key, reader: triggers.mapping(key) }));
  const http = named.filter(({ key, reader }) => {
    const kind = reader.text('kind') ?? 'http';
    if (kind === 'http') return true;
    triggers.problem(key, `The trigger kind "${kind}" needs a cluster. Use an HTTP trigger.`);
    return false;
  });
  const [first, second] = http;
  if (second) triggers.problem(second.key, 'A function can have only one HTTP trigger.');
  return first ? readTrigger(first.key, first.reader) : defaultTrigger;
}

const defaultTrigger: HttpTrigger = {
  name: defaults.triggerName,
  workers: null,
  workerAvailabilityTimeoutMs: defaults.workerAvailabilityTimeoutMs,
  maxRequestBodyBytes: defaults.maxRequestBodyBytes,
  port: null,
  address: defaults.address,
};

function readTrigger(key: string, reader: FieldReader) {
  const name = reader.text('name') ?? key;
  if (name !== key && name !== '')
    reader.problem('name', `The trigger is named "${key}" by its key and "${name}" here.`);
  const attributes = reader.mapping('attributes');
  // Nuclio renamed `maxWorkers` to `numWorkers` in 1.14; 0 means 1 in both.
  const older = reader.wholeNumber('maxWorkers', 0, maxWorkers);
  const newer = reader.wholeNumber('numWorkers', 0, maxWorkers);
  if (older !== undefined && newer !== undefined && older !== newer) {
    reader.warn('maxWorkers', `numWorkers is ${newer}, which takes precedence.`);
  }
  const workers = newer ?? older;
  const trigger = {
    name: key,
    /** Null if the configuration has none. */
    workers: workers === undefined ? null : Math.max(1, workers),
    /** Time that a request waits for a free worker; 0 rejects it at once. */
    workerAvailabilityTimeoutMs:
      reader.wholeNumber('workerAvailabilityTimeoutMilliseconds', 0, maxWaitMs) ?? defaults.workerAvailabilityTimeoutMs,
    maxRequestBodyBytes: readBodySize(attributes),
    /** Required port on this computer; null for any free port. */
    port: attributes.wholeNumber('port', 0, 65_535) || null,
    address: readAddress(attributes),
  };
  attributes.finish(['serviceType', 'ingresses', 'readBufferSize', 'cors', 'disablePortPublishing']);
  reader.finish([
    'class',
    'kind',
    'name',
    'annotations',
    'url',
    'totalTasks',
    'maxTasks',
    'workerTerminationTimeout',
    'disabled',
    'mode',
    'batch',
  ]);
  return trigger;
}

function readBodySize(attributes: FieldReader): number {
  const value = attributes.raw('maxRequestBodySize');
  if (value === undefined || value === '') return defaults.maxRequestBodyBytes;
  const bytes = parseQuantity(value);
  if (bytes !== undefined && Number.isInteger(bytes) && bytes >= 1 && bytes <= maxBodyBytes) return bytes;
  attributes.problem(
    'maxRequestBodySize',
    `${JSON.stringify(value)} is not a number of bytes from 1 to ${maxBodyBytes}.`,
  );
  return defaults.maxRequestBodyBytes;
}

/** Nuclio has no such key and binds to every address; some configurations contain it anyway. */
function readAddress(attributes: FieldReader): string {
  const given = ['hostIP', 'hostIp', 'host', 'address', 'bindAddress', 'listenAddress'].map((key) => ({
    key,
    value: attributes.text(key),
  }));
  const found = given.find(({ value }) => value !== undefined && value !== '');
  if (!found?.value) return defaults.address;
  if (/^[0-9a-fA-F.:[\]]{2,45}$/.test(found.value)) return found.value.replace(/^\[|\]$/g, '');
  if (found.value === 'localhost') return defaults.address;
  attributes.problem(found.key, `"${found.value}" is not a valid IP address.`);
  return defaults.address;
}
