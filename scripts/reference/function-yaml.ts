import {
  type knownAnnotations,
  kubernetesKeys,
  parseConfigurationDocument,
} from '../../main/functions/configuration/parse-configuration.ts';
import { cell, referencePage, table } from './page.ts';

/** Keys that hold lists of mappings, and the mapping of triggers with a trigger of some name. */
const lists = new Set(['spec.env', 'spec.volumes', 'spec.build.directives.preCopy', 'spec.build.directives.postCopy']);
const members: Readonly<Record<string, string>> = { 'spec.triggers': '<name>' };

/** All keys with a value that the configuration's reader asks for, from reading a document that notes them. */
function keysRead(): ReadonlySet<string> {
  const keys = new Set<string>();
  const noting = (path: string): object => {
    const at = (key: string) => (path === '' ? key : `${path}.${key}`);
    const member = members[path];
    const value = (key: string): unknown => (lists.has(at(key)) ? [noting(`${at(key)}[]`)] : noting(at(key)));
    const has = (key: string) => lists.has(at(key)) || key === member;
    return new Proxy(
      {},
      {
        get: (_, key) => (typeof key === 'string' ? value(key) : undefined),
        ownKeys: () => (member === undefined ? [] : [member]),
        getOwnPropertyDescriptor: (_, key) => {
          if (typeof key !== 'string') return undefined;
          if (!has(key)) keys.add(at(key));
          return has(key) ? { value: value(key), configurable: true, enumerable: true, writable: true } : undefined;
        },
      },
    );
  };
  try {
    parseConfigurationDocument(noting(''));
  } catch {
    // The document has no name and no values: only the keys count.
  }
  for (const key of kubernetesKeys) keys.delete(`spec.${key}`);
  return keys;
}

type Described = Readonly<Record<string, readonly [values: string, meaning: string]>>;

const described: Readonly<Record<string, Described>> = {
  Function: {
    'metadata.name': ['text', 'Name: up to 63 lower-case letters, digits, `-`, `.` and `_`. Required.'],
    'spec.description': ['text', 'Description for users.'],
    'spec.runtime': ['text', 'Language and version, for example `python:3.11` or `nodejs`.'],
    'spec.handler': ['`module:function`', 'Function that answers a call, for example `main:handler`.'],
    'spec.image': ['image', 'Image that is ready to run. Without it, Limner builds one.'],
    'spec.env[].name': ['text', 'Name of an environment variable. Names that begin with `LIMNER_` are reserved.'],
    'spec.env[].value': ['text', 'Value of the variable.'],
    'spec.readinessTimeoutSeconds': ['seconds', 'Time in which the container must be ready. Default: 60.'],
    'spec.eventTimeout': ['`30s`, `500ms`, `1m30s`', 'Time limit of one call. Default: 30 s.'],
  },
  Trigger: {
    'spec.triggers.<name>.kind': ['`http`', 'Only HTTP triggers exist on one computer. A function has at most one.'],
    'spec.triggers.<name>.name': ['text', 'The same as the key.'],
    'spec.triggers.<name>.numWorkers': ['number', 'Number of worker processes.'],
    'spec.triggers.<name>.maxWorkers': ['number', 'The same, as Nuclio called it until 1.14.'],
    'spec.triggers.<name>.workerAvailabilityTimeoutMilliseconds': [
      'milliseconds',
      'Time for which a call waits for a free worker. Default: 10,000.',
    ],
    'spec.triggers.<name>.attributes.maxRequestBodySize': ['bytes, `64Mi`', 'Largest call. Default: 32 MiB.'],
    'spec.triggers.<name>.attributes.port': ['0 to 65535', 'Port on this computer. Default: a free one.'],
    'spec.triggers.<name>.attributes.hostIP': [
      'IP address',
      'Address that the port is bound to. Default: `127.0.0.1`.',
    ],
  },
  Volumes: {
    'spec.volumes[].volume.name': ['text', 'Name of the volume.'],
    'spec.volumes[].volume.hostPath.path': [
      'absolute path',
      'Folder on this computer. Other kinds of volumes are left out.',
    ],
    'spec.volumes[].volumeMount.name': ['text', 'Name of the volume again.'],
    'spec.volumes[].volumeMount.mountPath': ['absolute path', 'Folder in the container.'],
    'spec.volumes[].volumeMount.readOnly': ['true, false', 'Mount without the right to write.'],
  },
  Build: {
    'spec.build.image': ['image', 'Name of the image that the build makes.'],
    'spec.build.baseImage': ['image', 'Image that the build starts from.'],
    'spec.build.directives.preCopy[].kind': [
      '`RUN`, `ENV`, `COPY`, …',
      'Dockerfile directive before the code is copied.',
    ],
    'spec.build.directives.preCopy[].value': ['text', 'The rest of its line.'],
    'spec.build.directives.postCopy[].kind': [
      '`RUN`, `ENV`, `COPY`, …',
      'Dockerfile directive after the code is copied.',
    ],
    'spec.build.directives.postCopy[].value': ['text', 'The rest of its line.'],
    'spec.build.commands': ['list of commands', 'Shell commands, as configurations before 2018 have them.'],
    'spec.build.path': ['path', 'Folder of the sources on this computer.'],
    'spec.build.functionSourceCode': ['Base64', "The handler's only file."],
    'spec.build.noCache': ['true, false', 'Build without cached layers.'],
  },
  'Resources and runs': {
    'spec.resources.limits.cpu': ['`2`, `500m`', 'CPU cores at most.'],
    'spec.resources.limits.memory': ['`2Gi`', 'Memory at most.'],
    'spec.resources.limits.nvidia.com/gpu': ['number, or `device=0,1`', 'NVIDIA GPUs, by number or by index or UUID.'],
    'spec.platform.attributes.gpuMemoryMiB': ['MiB', 'GPU memory of one worker, which the GPU queue counts.'],
    'spec.platform.attributes.pidsLimit': ['32 to 16384', 'Processes and threads at most.'],
    'spec.platform.attributes.shmSize': ['`1Gi`', 'Size of `/dev/shm`.'],
    'spec.platform.attributes.tmpSize': ['`1Gi`', 'Size of `/tmp`.'],
    'spec.platform.attributes.idleStopSeconds': [
      'seconds',
      'Stop the container after this time without a call. 0: never.',
    ],
    'spec.platform.attributes.restartPolicy.name': [
      '`on-failure`, `always`, `no`',
      'Whether a failed container starts again.',
    ],
    'spec.platform.attributes.restartPolicy.maximumRetryCount': ['number', 'How often. Default: 3.'],
  },
  Security: {
    'spec.securityContext.runAsUser': ['number', 'User id in the container.'],
    'spec.securityContext.runAsGroup': ['number', 'Group id in the container.'],
    'spec.securityContext.fsGroup': ['number', 'Additional group id.'],
    'spec.securityContext.supplementalGroups': ['list of numbers', 'Additional group ids.'],
    'spec.securityContext.capabilities.add': ['list of names', 'Linux capabilities.'],
    'spec.securityContext.seccompProfile.type': ['`Unconfined`', 'Run without seccomp.'],
    'spec.securityContext.appArmorProfile.type': ['`Unconfined`', 'Run without AppArmor.'],
    'spec.platform.attributes.executableTmp': ['true, false', 'Programs and libraries may be run from `/tmp`.'],
    'spec.devices': ['`/dev/name`', 'Devices of this computer.'],
  },
};

/** Keys that are read in each of these places, under each of their names. */
const places = ['spec.securityContext', 'spec.platform.attributes', 'spec'];
const permissions: readonly (readonly [names: readonly string[], meaning: string])[] = [
  [['privileged'], 'Run with all rights of this computer.'],
  [['allowPrivilegeEscalation'], 'Allow processes to gain rights.'],
  [['readOnlyRootFilesystem'], '`false`: the file system of the container may be written.'],
  [['capAdd', 'cap_add'], 'Linux capabilities.'],
  [['deviceMappings'], 'Devices of this computer.'],
  [['network', 'networkMode'], "Network of Docker Engine. Default: Limner's own, without a way out."],
  [['hostNetwork'], 'Use the network of this computer.'],
  [['hostPID', 'hostPid', 'pid', 'pidMode'], 'See the processes of this computer.'],
  [['hostIPC', 'hostIpc', 'ipc', 'ipcMode'], 'Share memory with processes of this computer.'],
  [['hostUsers', 'userns', 'usernsMode'], 'Use the user ids of this computer.'],
  [['securityOpt', 'security_opt'], 'Security options of Docker Engine.'],
];

/** Other names of `hostIP`. */
const addressNames = ['hostIp', 'host', 'address', 'bindAddress', 'listenAddress'];

const annotations: Readonly<Record<(typeof knownAnnotations)[number], string>> = {
  name: 'Name that users see.',
  type: '`detector`, `interactor`, `tracker` or `reid`. Required for a model.',
  spec: 'Labels of the model, as JSON.',
  version: 'Version of the protocol of interactors and trackers.',
  min_pos_points: 'Interactor: positive points that a call needs.',
  min_neg_points: 'Interactor: negative points that a call needs. -1: it takes none.',
  startswith_box: 'Interactor: starts with a box.',
  startswith_box_optional: 'Interactor: may start with a box.',
  supported_shape_types: 'Tracker: shape types, separated by commas.',
  animated_gif:
    'Address of an animated image for help. Limner shows the text instead, because it does not use the network.',
  help_message: 'Help text for users.',
  framework: 'Framework of the model, for information.',
  image_formats: 'Formats of images that the function reads: `png`, `jpeg`, `webp`.',
};

/** Holds the descriptions to what the reader reads: a key without one, or one without a key, is an error. */
function check(read: ReadonlySet<string>): void {
  const known = new Set([
    ...Object.values(described).flatMap((keys) => Object.keys(keys)),
    ...addressNames.map((name) => `spec.triggers.<name>.attributes.${name}`),
    ...permissions.flatMap(([names]) => places.flatMap((place) => names.map((name) => `${place}.${name}`))),
  ]);
  const missing = [...read].filter((key) => !known.has(key));
  const gone = [...known].filter((key) => !read.has(key));
  if (missing.length + gone.length === 0) return;
  throw new Error(
    `scripts/reference/function-yaml.ts does not fit main/functions/configuration. Describe: ${missing.join(', ')}. ` +
      `Remove: ${gone.join(', ')}.`,
  );
}

export function functionYamlPage(): string {
  check(keysRead());
  return referencePage({
    title: 'function.yaml',
    order: 8,
    source: 'scripts/reference/function-yaml.ts, which is checked against main/functions/configuration',
    parts: [
      "A model function is described by Nuclio's `function.yaml`. Limner reads the keys below. It warns of other keys and " +
        'keeps them.',
      ...Object.entries(described).flatMap(([title, keys]) => [
        `## ${title}`,
        table(
          ['Key', 'Values', 'Meaning'],
          Object.entries(keys).map(([key, [values, meaning]]) => [`\`${key}\``, cell(values), cell(meaning)]),
        ),
      ]),
      '## Permissions',
      `These keys ask for more than functions get. Limner deploys such a function only when the permission is granted. ` +
        `Each is read in ${places.map((place) => `\`${place}\``).join(', ')}.`,
      table(
        ['Key', 'Meaning'],
        permissions.map(([names, meaning]) => [names.map((name) => `\`${name}\``).join(', '), cell(meaning)]),
      ),
      '## Annotations',
      'Annotations (`metadata.annotations`) describe the model to CVAT and to Limner.',
      table(
        ['Annotation', 'Meaning'],
        Object.entries(annotations).map(([name, meaning]) => [`\`${name}\``, cell(meaning)]),
      ),
      '## Labels and build arguments',
      'All keys of `metadata.labels` and `spec.build.args` are kept. The label `nuclio.io/project-name` names the project.',
      '## Keys without effect',
      `These keys steer a Kubernetes cluster. On one computer they do nothing: ${kubernetesKeys.map((key) => `\`spec.${key}\``).join(', ')}.`,
    ],
  });
}
