import { describe, expect, test } from 'vitest';
import { parseConfigurationDocument } from '../../../../main/functions/configuration/parse-configuration.ts';
import { dockerfileOf } from '../../../../main/functions/engines/docker/build-image.ts';
import { buildPermissions, scanBuild } from '../../../../main/functions/engines/docker/build-scan.ts';

const configurationOf = (build: object) =>
  parseConfigurationDocument({ metadata: { name: 'f' }, spec: { handler: 'main:handler', build } }).configuration;
const directives = (...lines: readonly string[]) =>
  lines.map((line) => ({ kind: line.replace(/ [^]*/, ''), value: line.replace(/^\S+ /, '') }));
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

  test.each<[string, ...string[]]>([
    ['ARG', 'ARG U=https://example.com/x', 'ADD $U /x'],
    ['ENV, which counts for more than ARG', 'ENV U=https://a.example/x', 'ARG U=here', 'ADD $U /x'],
    ['ENV as it was written once', 'ENV U https://example.com/x', 'ADD "${U}" /x'],
    ['one variable in another', 'ARG H=example.com', 'ENV U="https://$H/x" V=1', 'ADD ${U} /x'],
    ['the parts of an address', 'ARG S=http', 'ADD ${S}s://example.com/x /x'],
    ['a fallback', 'ADD ${U:-https://example.com/x} /x'],
    ['a fallback of a fallback', 'ARG A=', 'ADD ${A:-${B:-https://example.com/x}} /x'],
    ['a word for a variable that is set', 'ARG A=1', 'ADD ${A:+https://example.com/x} /x'],
    ['a list', 'ARG U=https://example.com/x', 'ADD ["$U", "/x"]'],
    ['quotes inside of a word', 'ADD ht""tps://example.com/x /x'],
    ['a line that goes on', 'ADD ht\\\ntps://example.com/x /x'],
    ['an escaped letter', 'ADD h\\ttps://example.com/x /x'],
    ['a variable of the base image, or of nobody', 'ADD $U /x'],
    ['an argument without a value', 'ARG U', 'ADD $U /x'],
    ['an expression that only newer Engines know', 'ARG U=here', 'ADD ${U/here/https:} /x'],
    ['an image by a variable', 'COPY --from=$IMAGE /a /b'],
  ])('detects an address by %s before the Engine downloads it', async (_name, ...lines) => {
    const configuration = configurationOf({ directives: { postCopy: directives(...lines) } });
    const { findings } = await scanBuild(configuration, 'base', async () => true);
    expect(findings.map(({ kind, key }) => [kind, key])).toEqual([
      ['network', `spec.build.directives.postCopy[${lines.length - 1}]`],
    ]);
  });

  test('detects an address in an argument of the build', async () => {
    const args = { U: 'https://example.com/x' };
    const configuration = configurationOf({ args, directives: { preCopy: directives('ADD ${U} /x') } });
    const { findings } = await scanBuild(configuration, 'base', async () => true);
    expect(findings.map(({ kind }) => kind)).toEqual(['network']);
  });

  test.each<[string, ...string[]]>([
    ['a name of a file by a variable', 'ARG F=weights.bin', 'ADD $F /x'],
    ['a fallback that is not needed', 'ARG F=weights.bin', 'ADD ${F:-https://example.com/x} /x'],
    ['a dollar that is none', "ADD '$F' /x", 'ADD \\$F /y'],
    ['a folder by a variable of the base image', 'COPY weights $HOME/weights'],
  ])('%s needs nothing', async (_name, ...lines) => {
    const configuration = configurationOf({ directives: { preCopy: directives(...lines) } });
    expect((await scanBuild(configuration, 'base', async () => true)).findings).toEqual([]);
  });

  test('prefers a variable of the base image to ARG', async () => {
    const configuration = configurationOf({ directives: { preCopy: directives('ARG U=weights.bin', 'ADD $U /x') } });
    const scanned = (base: Record<string, string>) => scanBuild(configuration, 'base', async () => true, base);
    expect((await scanned({ U: 'https://example.com/x' })).findings.map(({ kind }) => kind)).toEqual(['network']);
    expect((await scanned({ V: 'https://example.com/x' })).findings).toEqual([]);
  });

  test.each([
    ['LD_PRELOAD=/x.so', ['variable:LD_PRELOAD']],
    ['LD_PRELOAD /x.so', ['variable:LD_PRELOAD']],
    ['A=b "LD_AUDIT"=/x.so', ['variable:LD_AUDIT']],
    ['LD_${P}=/x.so', ['variable:LD_PRELOAD']],
    ['PYTHONPATH=/opt LD_LIBRARY_PATH=/opt/lib', []],
  ])('judges ENV %s by the names that it sets', async (value, ids) => {
    const preCopy = directives('ARG P=PRELOAD', `ENV ${value}`);
    const found = await scanBuild(configurationOf({ directives: { preCopy } }), 'base', async () => true);
    expect(buildPermissions(found).map(({ id }) => id)).toEqual(ids);
  });

  test('judges a command in a variable by its value, and treats an unknown one as a download', async () => {
    const preCopy = directives('ENV GET="pip install"', 'RUN $GET torch', 'RUN ${TOOL} torch');
    const { findings } = await scanBuild(configurationOf({ directives: { preCopy } }), 'base', async () => true);
    expect(findings.map(({ kind, key }) => [kind, key])).toEqual([
      ['likely-network', 'spec.build.directives.preCopy[1]'],
      ['likely-network', 'spec.build.directives.preCopy[2]'],
    ]);
  });

  test('reports a missing base image first', async () => {
    const { findings, hasBaseImage } = await scan('RUN', 'pip install a', []);
    expect(hasBaseImage).toBe(false);
    expect(findings.map(({ kind }) => kind)).toEqual(['missing', 'likely-network']);
  });

  test('needs a permission only for downloads of the Engine itself', async () => {
    expect(buildPermissions(await scan('RUN', 'pip install a'))).toEqual([]);
    expect(buildPermissions(await scan('ADD', 'https://example.com/a /a'))).toMatchObject([{ id: 'build-network' }]);
  });
});

test('orders directives like Nuclio: before the handler is copied, and after', () => {
  const configuration = configurationOf({
    args: { VERSION: '1' },
    directives: { preCopy: directives('USER root', 'RUN make'), postCopy: directives('RUN check') },
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
