import { describe, expect, test } from 'vitest';
import { ConfigurationError, findingSentence } from '../../../../main/functions/configuration/configuration-error.ts';
import {
  parseConfigurationDocument,
  parseConfigurationText,
} from '../../../../main/functions/configuration/parse-configuration.ts';
import { describeModel } from '../../../../main/functions/configuration/model-description.ts';
const complete = `metadata:
  name: street-detector
  namespace: cvat
  labels:
    nuclio.io/project-name: streets
  annotations:
    name: Street detector
    version: 2
    type: detector
    startswith_box: true
    framework: onnx
    spec: |
      [
        { "id": 1, "name": "car", "type": "rectangle" },
        { "id":10, "name": "road", "type": "mask", "attributes": [
          { "name": "wet", "input_type": "checkbox", "values": ["true", "false"] } ] }
      ]
spec:
  description: Finds cars
  runtime: 'python:3.8'
  handler: main:handler
  eventTimeout: 1m30s
  env:
    - name: PYTHONPATH
      value: /opt/nuclio/lib
    - name: LEVEL
      value: 3
  build:
    image: streets:latest-gpu
    baseImage: ubuntu:22.04
    directives:
      preCopy:
        - kind: run
          value: apt update && \\
            apt install -y python3
      postCopy:
        - kind: WORKDIR
          value: /opt/nuclio
  triggers:
    myHttpTrigger:
      kind: 'http'
      maxWorkers: 2
      workerAvailabilityTimeoutMilliseconds: 5000
      attributes:
        maxRequestBodySize: 33554432
  resources:
    limits:
      cpu: 500m
      memory: 1.5Gi
      nvidia.com/gpu: 1
  platform:
    attributes:
      restartPolicy:
        name: always
        maximumRetryCount: 3
      mountMode: volume
`;

function problemsOf(text: string): string[] {
  try {
    parseConfigurationText(text);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.findings.map(findingSentence);
    throw error;
  }
  return [];
}

const withSpec = (lines: string) => `metadata:\n  name: f\nspec:\n${lines}\n`;
const specOf = (lines: string) => parseConfigurationText(withSpec(lines)).configuration;

describe('a configuration', () => {
  test('is read with every key of the functions that CVAT ships', () => {
    const { configuration, warnings } = parseConfigurationText(complete);
    expect(configuration).toMatchObject({
      name: 'street-detector',
      namespace: 'nuclio',
      project: 'streets',
      description: 'Finds cars',
      handler: 'main:handler',
      runtime: { language: 'python', text: 'python:3.8' },
      eventTimeoutMs: 90_000,
      readinessTimeoutSeconds: 60,
      env: [
        { name: 'PYTHONPATH', value: '/opt/nuclio/lib' },
        { name: 'LEVEL', value: '3' },
      ],
      trigger: {
        name: 'myHttpTrigger',
        workers: 2,
        workerAvailabilityTimeoutMs: 5000,
        maxRequestBodyBytes: 33_554_432,
        port: null,
        address: '127.0.0.1',
      },
      build: {
        image: 'streets:latest-gpu',
        baseImage: 'ubuntu:22.04',
        preCopy: [{ kind: 'RUN' }],
        postCopy: [{ kind: 'WORKDIR', value: '/opt/nuclio' }],
      },
      resources: { cpuCores: 0.5, memoryBytes: 1.5 * 2 ** 30, gpuCount: 1, gpuDevices: [] },
      restart: { name: 'on-failure', maximumRetryCount: 3 },
    });
    expect(warnings).toEqual([]);
  });

  test('stores annotations as texts, and reads the model from them', () => {
    const { configuration } = parseConfigurationText(complete);
    expect(configuration.annotations).toMatchObject({ version: '2', startswith_box: 'true', framework: 'onnx' });
    expect(describeModel(configuration)).toMatchObject({
      id: 'street-detector',
      kind: 'detector',
      name: 'Street detector',
      version: 2,
      startsWithBox: true,
      labels: [
        { name: 'car', type: 'rectangle', attributes: [] },
        {
          name: 'road',
          type: 'mask',
          attributes: [{ name: 'wet', input_type: 'checkbox', values: ['true', 'false'] }],
        },
      ],
    });
  });

  test('survives its own document: a stored one is read unchanged', () => {
    const { configuration, document } = parseConfigurationText(complete);
    const stored: unknown = JSON.parse(JSON.stringify(document));
    expect(parseConfigurationDocument(stored).configuration).toEqual(configuration);
  });

  test('reads numWorkers as maxWorkers, and 0 as 1', () => {
    const workers = (line: string) => specOf(`  triggers:\n    http:\n      kind: http\n      ${line}`).trigger.workers;
    expect(workers('numWorkers: 4')).toBe(4);
    expect(workers('maxWorkers: "3"')).toBe(3);
    expect(workers('numWorkers: 0')).toBe(1);
    expect(workers('class: ""')).toBeNull();
  });

  test('reads quantities as text or as numbers', () => {
    const limits = (cpu: string, memory: string) =>
      specOf(`  resources:\n    limits:\n      cpu: ${cpu}\n      memory: ${memory}`).resources;
    expect(limits('2', '"536870912"')).toMatchObject({ cpuCores: 2, memoryBytes: 536_870_912 });
    expect(limits('"1500m"', '1e9')).toMatchObject({ cpuCores: 1.5, memoryBytes: 1e9 });
    expect(limits('.5', '512Mi')).toMatchObject({ cpuCores: 0.5, memoryBytes: 536_870_912 });
  });

  test('names GPUs by number or by id', () => {
    const gpu = (value: string) => specOf(`  resources:\n    limits:\n      nvidia.com/gpu: ${value}`).resources;
    expect(gpu('"2"')).toMatchObject({ gpuCount: 2, gpuDevices: [] });
    expect(gpu('device=1,GPU-0a1b')).toMatchObject({ gpuCount: 2, gpuDevices: ['1', 'GPU-0a1b'] });
  });

  test('may have an empty spec of labels, like interactors', () => {
    for (const spec of ['', '""', 'null', '"null"']) {
      const text = `metadata:\n  name: f\n  annotations:\n    type: interactor\n    spec: ${spec}\nspec: {}\n`;
      expect(describeModel(parseConfigurationText(text).configuration).labels).toEqual([]);
    }
  });

  test('may be JSON from other tools', () => {
    const text = JSON.stringify(
      { metadata: { name: 'f' }, spec: { image: 'a/b:1', handler: 'main:handler' } },
      null,
      2,
    );
    expect(parseConfigurationText(text).configuration).toMatchObject({ name: 'f', image: 'a/b:1' });
  });

  test('reports unknown keys with their lines, and continues', () => {
    const { warnings } = parseConfigurationText(
      'metadata:\n  name: f\n  colour: red\nspec:\n  handler: main:handler\n  nodeSelector:\n    a: b\n  speed: 3\n',
      'my.yaml',
    );
    expect(warnings.map(findingSentence)).toEqual([
      'my.yaml, line 3, metadata.colour: Unknown key; it has no effect.',
      'my.yaml, line 6, spec.nodeSelector: This key is for Kubernetes and has no effect on a single computer.',
      'my.yaml, line 8, spec.speed: Unknown key; it has no effect.',
    ]);
  });
});

describe('a mistake is reported with file, line and key', () => {
  test.each<[string, string, RegExp]>([
    ['no name', 'metadata: {}\nspec: {}\n', /^function\.yaml, line \d+, metadata\.name: A function needs a name/],
    ['empty file', '', /The file is empty/],
    ['YAML', 'metadata:\n  name: "f\n', /^function\.yaml, line \d: This is not valid YAML/],
    [
      'two keys of one name',
      'metadata:\n  name: f\n  name: g\n',
      /line 3: This is not valid YAML: Map keys must be unique/,
    ],
    [
      'workers',
      withSpec('  triggers:\n    t:\n      kind: http\n      maxWorkers: two'),
      /line 7, spec\.triggers\.t\.maxWorkers: Expected an integer from 0/,
    ],
    [
      'two triggers',
      withSpec('  triggers:\n    a:\n      kind: http\n    b:\n      kind: http'),
      /line 7, spec\.triggers\.b: A function can have only one HTTP/,
    ],
    [
      'trigger kind',
      withSpec('  triggers:\n    a:\n      kind: kafka'),
      /line 5, spec\.triggers\.a: The trigger kind "kafka"/,
    ],
    [
      'memory',
      withSpec('  resources:\n    limits:\n      memory: lots'),
      /line 6, spec\.resources\.limits\.memory: "lots" is not a valid number of bytes/,
    ],
    ['too little memory', withSpec('  resources:\n    limits:\n      memory: 1Mi'), /at least 6 MiB/],
    [
      'other cards',
      withSpec('  resources:\n    limits:\n      amd.com/gpu: 1'),
      /line 6, spec\.resources\.limits\.amd\.com\/gpu: Only NVIDIA/,
    ],
    ['duration', withSpec('  eventTimeout: soon'), /line 4, spec\.eventTimeout: "soon" is not a valid duration/],
    [
      'variable',
      withSpec('  env:\n    - name: "A=B"\n      value: x'),
      /line 5, spec\.env\[0\]\.name: "A=B" is not a valid name/,
    ],
    ['image', withSpec('  image: "--privileged x"'), /line 4, spec\.image: "--privileged x" is not a valid image name/],
    [
      'volume names',
      withSpec(
        '  volumes:\n    - volume:\n        name: a\n        hostPath:\n          path: /tmp\n      volumeMount:\n        name: b\n        mountPath: /x',
      ),
      /spec\.volumes\[0\]: The volume is named "a"/,
    ],
    [
      'directive',
      withSpec('  build:\n    directives:\n      preCopy:\n        - kind: FROM\n          value: x'),
      /line 7, spec\.build\.directives\.preCopy\[0\]\.kind: "FROM" is not a supported build directive/,
    ],
  ])('%s', (_what, text, expected) => {
    expect(problemsOf(text).join('\n')).toMatch(expected);
  });

  test('labels: the line inside their block of text', () => {
    const text = `metadata:
  name: f
  annotations:
    type: detector
    spec: |
      [
        { "name": "car" },
        { "name": "bus", },
      ]
spec: {}
`;
    expect(problemsOf(text).join()).toMatch(
      /^function\.yaml, line 8, metadata\.annotations\.spec: The labels are not valid JSON \(a comma before/,
    );
    expect(problemsOf(text.replace('"bus", ', '"car"').replace('},\n      ]', '}\n      ]')).join()).toMatch(
      /line 8, metadata\.annotations\.spec: The label "car" is defined twice/,
    );
  });

  test('reports every mistake at once', () => {
    expect(problemsOf(withSpec('  eventTimeout: x\n  readinessTimeoutSeconds: y\n  handler: ../../a:b'))).toHaveLength(
      3,
    );
  });

  test('anchors cannot expand a file endlessly', () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...['b', 'c', 'd', 'e', 'f', 'g'].map((name, index) => {
        const previous = 'abcdef'[index];
        return `${name}: &${name} [${Array.from({ length: 9 }, () => `*${previous}`).join(',')}]`;
      }),
    ].join('\n');
    expect(problemsOf(bomb).join()).toMatch(/cannot be read/);
  });
});
