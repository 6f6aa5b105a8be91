import type { FunctionConfiguration } from '../../configuration/parse-configuration.ts';
import type { AddressRule } from '../address-rule.ts';
import { defaultTimeoutMs, type FunctionProvider, type ProvidedFunction } from '../provider.ts';
import { AppError } from '../../../platform/errors.ts';
import { askChat, chatAnnotations, chatProtocol } from '../chat/chat-endpoint.ts';

export interface Endpoint {
  readonly configuration: FunctionConfiguration;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Functions at URLs. Limner does not start or stop them. */
export function createUrlProvider(
  endpoints: { list(): readonly Endpoint[]; find(name: string): Endpoint | null },
  addresses: Pick<AddressRule, 'checked' | 'invokerFor'>,
): FunctionProvider {
  const provided = ({ configuration }: Endpoint): ProvidedFunction => ({
    name: configuration.name,
    description: configuration.description,
    annotations: configuration.annotations,
    provider: 'url',
    project: configuration.project,
    state: 'ready',
    message: '',
    port: null,
    workers: configuration.trigger.workers ?? 1,
    timeoutMs: Math.max(defaultTimeoutMs, configuration.eventTimeoutMs),
  });
  return {
    list: async () => endpoints.list().map(provided),
    async find(name) {
      const found = endpoints.find(name);
      return found && provided(found);
    },
    invoke(name, invocation) {
      const found = endpoints.find(name);
      if (!found) throw new AppError('not-found', `There is no function "${name}".`);
      const { annotations } = found.configuration;
      if (annotations[chatAnnotations.protocol] === chatProtocol) {
        return askChat(addresses.checked, { ...found, annotations }, invocation);
      }
      const headers = { ...invocation.headers, ...found.headers };
      // The URL identifies the function alone; the path of the call is ignored.
      return addresses.invokerFor(found.url).send(found.url, { ...invocation, path: found.url, headers });
    },
  };
}
