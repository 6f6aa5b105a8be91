import type { FieldReader } from './field-reader.ts';
import { defaults } from './defaults.ts';
import { parseQuantity } from './quantities.ts';

/** Nuclio's own bound; every worker is a process. */
const maxWorkers = 100_000;
const maxWaitMs = 24 * 60 * 60 * 1000;
const maxBodyBytes = 2 * 1024 ** 3;

type HttpTrigger = ReturnType<typeof readTrigger>;

/** The one HTTP trigger; with none named, Nuclio's default one. */
export function readHttpTrigger(triggers: FieldReader): HttpTrigger {
  const named = triggers.keys.map((key) => ({ key, reader: triggers.mapping(key) }));
  const http = named.filter(({ key, reader }) => {
    const kind = reader.text('kind') ?? 'http';
    if (kind === 'http') return true;
    triggers.problem(key, `The trigger kind "${kind}" needs a cluster; functions here are called by HTTP.`);
    return false;
  });
  const [first, second] = http;
  if (second) triggers.problem(second.key, 'A function has one HTTP trigger at most.');
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
    reader.problem('name', `The trigger is called "${key}" by its key and "${name}" here.`);
  const attributes = reader.mapping('attributes');
  // `maxWorkers` until Nuclio 1.14, `numWorkers` since; 0 means 1 there.
  const older = reader.wholeNumber('maxWorkers', 0, maxWorkers);
  const newer = reader.wholeNumber('numWorkers', 0, maxWorkers);
  if (older !== undefined && newer !== undefined && older !== newer) {
    reader.warn('maxWorkers', `numWorkers says ${newer}, which is taken.`);
  }
  const workers = newer ?? older;
  const trigger = {
    name: key,
    /** Null where the configuration does not say. */
    workers: workers === undefined ? null : Math.max(1, workers),
    /** How long a request waits for a free worker; 0: not at all. */
    workerAvailabilityTimeoutMs:
      reader.wholeNumber('workerAvailabilityTimeoutMilliseconds', 0, maxWaitMs) ?? defaults.workerAvailabilityTimeoutMs,
    maxRequestBodyBytes: readBodySize(attributes),
    /** A port of this machine that the function must have; null: one that is free. */
    port: attributes.wholeNumber('port', 0, 65_535) || null,
    /** Address that the port is bound to. */
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
  attributes.problem('maxRequestBodySize', `${JSON.stringify(value)} is no number of bytes from 1 to ${maxBodyBytes}.`);
  return defaults.maxRequestBodyBytes;
}

/** Not a key of Nuclio's, which binds to every address; some write it in the hope that it does something. */
function readAddress(attributes: FieldReader): string {
  const given = ['hostIP', 'hostIp', 'host', 'address', 'bindAddress', 'listenAddress'].map((key) => ({
    key,
    value: attributes.text(key),
  }));
  const found = given.find(({ value }) => value !== undefined && value !== '');
  if (!found?.value) return defaults.address;
  if (/^[0-9a-fA-F.:[\]]{2,45}$/.test(found.value)) return found.value.replace(/^\[|\]$/g, '');
  if (found.value === 'localhost') return defaults.address;
  attributes.problem(found.key, `"${found.value}" is no IP address.`);
  return defaults.address;
}
