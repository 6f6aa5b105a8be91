import { connect } from 'node:net';
import type { ModelAddressCheck } from '../../../preload/contract/schema/functions.ts';
import { AppError } from '../../platform/errors.ts';
import { noFacts, requireAllowed } from '../../users/access/access-rules.ts';
import type { Actor } from '../../users/access/actor.ts';
import { chatAnnotations, chatModels, chatProtocol } from '../engines/chat/chat-endpoint.ts';
import { AddressRefused, guardedLookup, hostRefusal } from '../../platform/network/guarded-connector.ts';
import type { AddressSettings } from '../../platform/network/address-policy.ts';
import type { AddressRule } from '../engines/address-rule.ts';
import type { FunctionModelFiles } from '../records/function-model-files.ts';
import type { FunctionRecord } from '../records/function-record.ts';
import type { NamedModels } from './named-models.ts';

const questionTimeoutMs = 10_000;

/** Checks whether models at addresses answer, without running them. */
export function createAddressCheck({
  models,
  modelFiles,
  addresses,
}: {
  readonly models: NamedModels;
  readonly modelFiles: Pick<FunctionModelFiles, 'checkServer'>;
  readonly addresses: Pick<AddressRule, 'checked' | 'settingsFor'>;
}) {
  /** @throws AppError with the reason */
  async function check(name: string): Promise<void> {
    const model = models.named(name);
    const isServed = model.kind === 'model-file' && (await modelFiles.checkServer(name));
    if (isServed) return;
    if (model.kind !== 'record' || model.record.row.provider !== 'url') {
      throw new NoAddress(`"${name}" does not run at an address, so there is no connection to check.`);
    }
    await checkRecord(model.record);
  }

  async function checkRecord({ configuration, row, headers }: FunctionRecord): Promise<void> {
    const { annotations } = configuration;
    const url = row.address ?? '';
    if (annotations[chatAnnotations.protocol] !== chatProtocol) {
      await connected(new URL(url), addresses.settingsFor(url));
      return;
    }
    const model = annotations[chatAnnotations.model] ?? '';
    if ((await chatModels(addresses.checked, { url, headers })).includes(model)) return;
    throw new AppError('unavailable', `The chat endpoint at ${new URL(url).host} no longer offers "${model}".`);
  }

  return {
    async checkAddress(actor: Actor, name: string): Promise<ModelAddressCheck> {
      requireAllowed(actor, 'function', 'manage', noFacts);
      const beginMs = performance.now();
      try {
        await check(name);
        return { is_reachable: true, duration_ms: Math.round((performance.now() - beginMs) * 10) / 10, reason: '' };
      } catch (error) {
        if (!(error instanceof AppError) || error.code === 'not-found' || error instanceof NoAddress) throw error;
        return { is_reachable: false, duration_ms: null, reason: error.message };
      }
    },
  };
}

/** Opens a connection only, because any request would run the function. */
async function connected(
  { hostname, host, port, protocol }: URL,
  settings: (() => AddressSettings) | undefined,
): Promise<void> {
  const refused = (reason: string) => new AppError('unavailable', `Cannot connect to ${host}: ${reason}`);
  const refusal = settings && hostRefusal(hostname, settings());
  if (refusal) throw refused(refusal);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect({
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
    timeout: questionTimeoutMs,
    ...(settings === undefined ? {} : { lookup: guardedLookup(settings) }),
  });
  const fail = (code: string) => reject(new AppError('unavailable', `Nothing responds at ${host} (${code}).`));
  socket.once('connect', resolve);
  socket.once('timeout', () => fail('ETIMEDOUT'));
  socket.once('error', (error: NodeJS.ErrnoException) =>
    error instanceof AddressRefused ? reject(refused(error.message)) : fail(error.code ?? error.message),
  );
  return promise.finally(() => socket.destroy());
}

class NoAddress extends AppError {
  constructor(message: string) {
    super('conflict', message);
  }
}
