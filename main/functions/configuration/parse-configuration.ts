import { plainConfiguration, readConfigurationText, type ConfigurationSource } from './configuration-source.ts';
import { ConfigurationError, type ConfigurationFinding } from './configuration-error.ts';
import { createFieldReader, type FieldReader, type Findings } from './field-reader.ts';
import { defaults } from './defaults.ts';
import { isImageReference } from './image-reference.ts';
import { parseModelLabels } from './model-labels.ts';
import { readBuild } from './parse-build.ts';
import { readHttpTrigger } from './parse-triggers.ts';
import { readIdleStop, readResources, readRestart, readSecurity } from './parse-platform.ts';
import { readVolumes } from './parse-volumes.ts';
import { parseDurationMs } from './quantities.ts';

/** A validated function configuration with defaults filled in and quantities as numbers. */
export type FunctionConfiguration = Readonly<ReturnType<typeof readMetadata> & ReturnType<typeof readSpec>>;

export interface ParsedConfiguration {
  readonly configuration: FunctionConfiguration;
  /** The unchanged configuration (metadata and spec), for API answers. */
  readonly document: ConfigurationDocument;
  /** Keys without effect and values that were adjusted. */
  readonly warnings: readonly ConfigurationFinding[];
}

export interface ConfigurationDocument {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly spec: Readonly<Record<string, unknown>>;
}

/** Label with the name of a function's project, as Nuclio's tools write it. */
export const projectLabel = 'nuclio.io/project-name';
/** Names of Nuclio's own components. */
const reservedNames: ReadonlySet<string> = new Set(['dashboard', 'controller', 'dlx', 'scaler']);
const namePattern = /^[a-z0-9]([a-z0-9._-]{0,61}[a-z0-9])?$/;
const maxReadinessSeconds = 24 * 60 * 60;

/**
 * Reads a `function.yaml` or the JSON that Nuclio's tools export.
 * @throws ConfigurationError with every problem, each with file, line and key
 */
export function parseConfigurationText(text: string, file?: string): ParsedConfiguration {
  return parseSource(readConfigurationText(text, file));
}

/** @throws ConfigurationError */
export function parseConfigurationDocument(document: unknown, name?: string): ParsedConfiguration {
  return parseSource(plainConfiguration(document, name));
}

function parseSource(source: ConfigurationSource): ParsedConfiguration {
  const findings: Findings = { problems: [], warnings: [] };
  const top = createFieldReader(source, findings);
  if (source.data === null || source.data === undefined) top.problem(null, 'The file is empty.');
  const metadata = top.mapping('metadata');
  const spec = top.mapping('spec');
  const configuration: FunctionConfiguration = {
    ...readMetadata(metadata, source, findings),
    ...readSpec(spec),
  };
  top.finish(['apiVersion', 'kind', 'status']);
  if (findings.problems.length > 0) throw new ConfigurationError(findings.problems);
  return { configuration, document: documentOf(source.data), warnings: findings.warnings };
}

/** The caller has validated that both are mappings or absent. */
function documentOf(data: unknown): ConfigurationDocument {
  const part = (key: string) => {
    const value: unknown = Reflect.get(Object(data), key);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  };
  return { metadata: part('metadata'), spec: part('spec') };
}

function readMetadata(metadata: FieldReader, source: ConfigurationSource, findings: Findings) {
  const name = metadata.text('name') ?? '';
  if (name === '') metadata.problem('name', 'A function needs a name.');
  else if (!namePattern.test(name)) {
    metadata.problem(
      'name',
      `"${name}" is not a valid function name. Use up to 63 lower-case letters, digits, "-", "." and "_", with a letter or ` +
        'digit at both ends.',
    );
  } else if (reservedNames.has(name)) metadata.problem('name', `"${name}" is reserved by Nuclio.`);
  const labels = readTexts(metadata.mapping('labels'));
  const annotations = readAnnotations(metadata.mapping('annotations'), source, findings);
  // Nuclio's tools replace the namespace by their own, so its value is ignored.
  metadata.finish(['namespace', 'resourceVersion', 'uid', 'generation', 'creationTimestamp']);
  return {
    name,
    namespace: defaults.namespace,
    project: labels[projectLabel] ?? defaults.project,
    labels,
    /** All values are strings, as in Nuclio. */
    annotations,
  };
}

/** Reads strings by key. Null becomes an empty string, as in Nuclio. */
function readTexts(reader: FieldReader): Record<string, string> {
  const entries = reader.keys.map((key): [string, string] => [key, reader.text(key) ?? '']);
  for (const [key] of entries) {
    if (key.startsWith('app.limner.'))
      reader.problem(key, 'Labels that begin with "app.limner." are reserved by Limner.');
  }
  return Object.fromEntries(entries);
}

export const knownAnnotations = [
  'name',
  'type',
  'spec',
  'version',
  'min_pos_points',
  'min_neg_points',
  'startswith_box',
  'startswith_box_optional',
  'supported_shape_types',
  'animated_gif',
  'help_message',
  'framework',
  'image_formats',
] as const;

function readAnnotations(reader: FieldReader, source: ConfigurationSource, findings: Findings): Record<string, string> {
  const annotations = Object.fromEntries(reader.keys.map((key): [string, string] => [key, reader.text(key) ?? '']));
  const start = source.valueLineOf([...reader.path, 'spec']);
  const { problems, warnings } = parseModelLabels(annotations['spec'] ?? '');
  const placed = ({ line, message }: { line: number; message: string }): ConfigurationFinding => ({
    file: source.file,
    line: start === null ? null : start + line - 1,
    key: 'metadata.annotations.spec',
    message,
  });
  findings.problems.push(...problems.map(placed));
  findings.warnings.push(...warnings.map(placed));
  for (const key of reader.keys) {
    // Annotations with a slash belong to other programs.
    if (!knownAnnotations.some((known) => known === key) && !key.includes('/')) {
      reader.warn(key, 'Unknown annotation; it has no effect.');
    }
  }
  if (/^https?:/i.test(annotations['animated_gif'] ?? '')) {
    reader.warn('animated_gif', 'The image is on the network and is not loaded; users see the help text.');
  }
  return annotations;
}

/** Spec keys that control a cluster and have no effect on one computer. */
const clusterKeys = [
  'targetCPU',
  'minReplicas',
  'maxReplicas',
  'replicas',
  'alias',
  'version',
  'imageHash',
  'imagePullPolicy',
  'runRegistry',
  'loggerSinks',
  'avatar',
  'eventTimeout',
  'disableDefaultHTTPTrigger',
  'waitReadinessTimeoutBeforeFailure',
];
export const kubernetesKeys = [
  'serviceType',
  'serviceAccount',
  'scaleToZero',
  'nodeSelector',
  'nodeName',
  'affinity',
  'tolerations',
  'priorityClassName',
  'preemptionMode',
  'customScalingMetricSpecs',
  'sidecars',
  'initContainers',
  'dataBindings',
  'runtimeAttributes',
];

function readSpec(spec: FieldReader) {
  const handler = readHandler(spec);
  const image = spec.text('image') ?? '';
  if (image !== '' && !isImageReference(image)) spec.problem('image', `"${image}" is not a valid image name.`);
  const platform = spec.mapping('platform');
  const platformAttributes = platform.mapping('attributes');
  const resources = readResources(spec.mapping('resources'), platformAttributes);
  const result = {
    description: spec.text('description') ?? '',
    handler,
    runtime: readRuntime(spec.text('runtime') ?? ''),
    env: readEnv(spec),
    /** An image that is ready to run; empty if the image is built. */
    image,
    trigger: readHttpTrigger(spec.mapping('triggers')),
    volumes: readVolumes(spec),
    build: readBuild(spec.mapping('build')),
    resources,
    restart: readRestart(platformAttributes),
    security: readSecurity(spec, platformAttributes),
    idleStopSeconds: readIdleStop(platformAttributes),
    readinessTimeoutSeconds:
      spec.wholeNumber('readinessTimeoutSeconds', 1, maxReadinessSeconds) ?? defaults.readinessTimeoutSeconds,
    eventTimeoutMs: readEventTimeout(spec),
  };
  platformAttributes.finish(['mountMode', 'healthCheckInterval', 'processorMountMode', 'disablePortPublishing']);
  platform.finish();
  for (const key of kubernetesKeys) {
    const value = spec.raw(key);
    const isEmpty = value === undefined || (typeof value === 'object' && Object.keys(Object(value)).length === 0);
    if (!isEmpty) spec.warn(key, 'This key is for Kubernetes and has no effect on a single computer.');
  }
  spec.finish(clusterKeys);
  return result;
}

function readHandler(spec: FieldReader): string {
  const handler = spec.text('handler') ?? '';
  if (handler !== '' && (!/^[\w./-]+(:\w+)?$/.test(handler) || handler.split(/[/:]/).includes('..'))) {
    spec.problem('handler', `"${handler}" is not a valid handler. Write module:function, for example main:handler.`);
  }
  return handler;
}

interface Runtime {
  readonly language: 'python' | 'nodejs' | 'other';
  /** The configured value, for example `python:3.8`; may be empty. */
  readonly text: string;
}

function readRuntime(text: string): Runtime {
  if (/^python(:|$)/i.test(text)) return { language: 'python', text };
  if (/^node(js)?(:|$)/i.test(text)) return { language: 'nodejs', text };
  return { language: 'other', text };
}

const maxEventTimeoutMs = 30 * 24 * 60 * 60 * 1000;

function readEventTimeout(spec: FieldReader): number {
  const value = spec.raw('eventTimeout');
  if (value === undefined || value === '') return defaults.eventTimeoutMs;
  const durationMs = parseDurationMs(value);
  if (durationMs !== undefined && durationMs >= 1 && durationMs <= maxEventTimeoutMs) return durationMs;
  spec.problem('eventTimeout', `${JSON.stringify(value)} is not a valid duration. Write 30s, 500ms or 1m30s.`);
  return defaults.eventTimeoutMs;
}

function readEnv(spec: FieldReader) {
  return spec.mappings('env').flatMap((entry) => {
    const name = entry.text('name') ?? '';
    const value = entry.text('value');
    if (!/^[A-Za-z_][A-Za-z0-9_.-]*$/.test(name)) {
      entry.problem('name', `"${name}" is not a valid name of an environment variable.`);
      return [];
    }
    if (/^LIMNER_/i.test(name)) entry.problem('name', 'Variables that begin with LIMNER_ are reserved by Limner.');
    if (value?.includes('\0')) entry.problem('value', 'A value cannot contain a zero byte.');
    if (value === undefined && entry.raw('valueFrom') !== undefined) {
      entry.warn('valueFrom', 'valueFrom is for Kubernetes; the variable is ignored.');
      return [];
    }
    entry.finish();
    return [{ name, value: value ?? '' }];
  });
}
