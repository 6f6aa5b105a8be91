import { describe, expect, test } from 'vitest';
import { parseConfigurationDocument } from '../../../../main/functions/configuration/parse-configuration.ts';
import { dockerfileOf } from '../../../../main/functions/providers/docker/build-image.ts';
import { buildDemands, scanBuild } from '../../../../main/functions/providers/docker/build-scan.ts';

const configurationOf = (build: object) =>
  parseConfigurationDocument({ metadata: { name: 'f' }, spec: { handler: 'main:handler', build } }).configuration;
const scan = (kind: string, value: string, images: readonly string[] = ['base']) =>
  scanBuild(configurationOf({ directives: { preCopy: [{ kind, value }] } }), 'base', async (name) =>
    images.includes(name),
  );

describe('the scan of a build', () => {
  test.each([
    ['ADD', 'https://example.com/a.bin /opt/a.bin', 'network'],
    ['ADD', '["http://example.com/a", "/opt/a"]', 'network'],
    ['ADD', 'git@example.com:a/b.git /opt/b', 'network'],
    ['COPY', '--from=other/image:1 /a /b', 'missing'],
    ['RUN', '--mount=type=cache,target=/root/.cache pip list', 'missing'],
    ['RUN', 'apt-get update && apt-get install --no-install-recommends -y python3', 'likely-network'],
    ['RUN', 'pip install onnxruntime', 'likely-network'],
    ['RUN', 'python3 -m pip download torch', 'likely-network'],
    ['RUN', 'conda create -y -n iog python=3.6', 'likely-network'],
    ['RUN', 'git clone https://example.com/a.git', 'likely-network'],
    ['RUN', 'wget -O /opt/m.onnx http://example.com/m.onnx', 'likely-network'],
    ['RUN', 'apt \\\n    update', 'likely-network'],
  ])('%s %s: %s', async (kind, value, expected) => {
    const { findings } = await scan(kind, value);
    expect(findings.map((finding) => finding.kind)).toEqual([expected]);
    expect(findings[0]?.key).toBe('spec.build.directives.preCopy[0]');
  });

  test.each([
    ['RUN', 'ln -s /usr/bin/python3 /usr/bin/python'],
    ['RUN', 'pip install --no-index /opt/wheels/a.whl'],
    ['RUN', 'curlicue --version'],
    ['COPY', 'weights /opt/weights'],
    ['ADD', 'model.tar.gz /opt'],
    ['COPY', '--from=base /a /b'],
    ['ENV', 'SOURCE=https://example.com'],
    ['USER', 'root'],
  ])('%s %s needs nothing', async (kind, value) => expect((await scan(kind, value)).findings).toEqual([]));

  test('a base image that is not there comes first', async () => {
    const { findings, hasBaseImage } = await scan('RUN', 'pip install a', []);
    expect(hasBaseImage).toBe(false);
    expect(findings.map(({ kind }) => kind)).toEqual(['missing', 'likely-network']);
  });

  test('only what the Engine itself would fetch must be granted', async () => {
    expect(buildDemands(await scan('RUN', 'pip install a'))).toEqual([]);
    expect(buildDemands(await scan('ADD', 'https://example.com/a /a'))).toMatchObject([{ id: 'build-network' }]);
  });
});

test('directives stand in the order of Nuclio: before the handler is copied, and after', () => {
  const configuration = configurationOf({
    args: { VERSION: '1' },
    directives: {
      preCopy: [
        { kind: 'USER', value: 'root' },
        { kind: 'RUN', value: 'make' },
      ],
      postCopy: [{ kind: 'RUN', value: 'check' }],
    },
  });
  const text = dockerfileOf({
    configuration,
    baseImage: 'ubuntu:22.04',
    runtimeName: 'python',
    command: ['python3', 'x.py'],
  });
  expect(text.split('\n')).toEqual([
    'FROM ubuntu:22.04',
    'ARG VERSION="1"',
    'USER root',
    'RUN make',
    'COPY .limner/runtime /opt/limner/python',
    'COPY . /opt/nuclio',
    'RUN check',
    'ENV LIMNER_HANDLER="main:handler"',
    'LABEL app.limner.made-for="f"',
    'CMD ["python3","x.py"]',
    '',
  ]);
});
