import type { ModelFunction } from '../../preload/contract/schema/functions.ts';
import type { FunctionProject } from '../functions/catalog/function-projects.ts';
import type { ConfigurationDocument } from '../functions/configuration/parse-configuration.ts';
import { defined } from '../platform/defined.ts';

export function functionObject(model: ModelFunction, document: ConfigurationDocument, detailed: boolean) {
  const { metadata, spec } = document;
  const labels: unknown = metadata['labels'];
  const annotations: unknown = metadata['annotations'];
  const port = model.node_port ?? 0;
  return {
    metadata: {
      name: model.name,
      namespace: model.namespace,
      labels: { ...Object(labels), 'nuclio.io/project-name': model.project },
      annotations: texts(annotations),
    },
    spec: { ...spec, ...defined({ image: model.image ?? undefined }) },
    status: {
      state: model.state === 'stopped' ? 'scaledToZero' : model.state,
      message: model.message,
      httpPort: port,
      containerImage: model.image ?? '',
      internalInvocationUrls: [],
      externalInvocationUrls: port === 0 ? [] : [`127.0.0.1:${port}`],
      logs: detailed
        ? model.message === ''
          ? []
          : [{ level: 'error', message: model.message, time: Date.parse(model.updated_date) }]
        : undefined,
    },
  };
}

/** Nuclio's annotations are strings, whatever their type is in the configuration. */
function texts(annotations: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(Object(annotations) as Record<string, unknown>).map(([key, value]) => [
      key,
      value === null || value === undefined ? '' : String(value),
    ]),
  );
}

export const projectObject = ({ name, description }: FunctionProject, namespace: string) => ({
  metadata: { name, namespace },
  spec: { description },
  status: {},
});

export const replicaName = (name: string, namespace: string): string => `nuclio-${namespace}-${name}`;
