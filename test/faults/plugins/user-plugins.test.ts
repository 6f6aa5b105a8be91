import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createInMemoryTaskData } from '../../../main/formats/kit/in-memory-task-data.ts';
import { createFormatReport } from '../../../main/formats/kit/report.ts';
import { pluginExporter, pluginImporter } from '../../../main/formats/user-plugins/plugin-format.ts';
import { findSandbox, type PluginLimits } from '../../../main/platform/sandbox.ts';
import { createUserFormats } from '../../../main/formats/user-plugins/user-formats.ts';
import { signIn, type TestClient } from '../../support/client.ts';
import { makeImages } from '../../support/images.ts';
import { nodeExecutable, programEntry, projectRoot } from '../../support/node-executable.ts';
import { type RunningServer, startServer } from '../../support/server.ts';
import { runLimner } from '../../integration/cli/support/run-limner.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';
import { faults, fileAttempts, hostileModule, networkAttempts, nuisances, processAttempts } from './hostile-plugins.ts';

const template = join(projectRoot, 'resources', 'format-plugin', 'box-list.ts');
const hostFile = programEntry('plugin-host');
/** Long enough for a busy machine. Tests of the time limits use shorter ones. */
const limits: Partial<PluginLimits> = { memoryMiB: 128, silenceMs: 20_000, totalMs: 40_000, describeMs: 6000 };
const hasty: Readonly<Record<string, Partial<PluginLimits>>> = {
  'an endless loop': { silenceMs: 1500 },
  'a promise that never ends': { silenceMs: 1500 },
  'a loop that only reports progress': { totalMs: 4000 },
};

const found = findSandbox(hostFile, limits);

const folder = sharedFolder();
let plugins: string;
const input = join(folder, 'input.txt');
writeFileSync(input, 'a.jpg\tcar\t1\t2\t30\t40.25\n');
writeFileSync(join(folder, 'secret.json'), '{"secret":"canary"}');
const pluginFolder = () => mkdtempSync(join(folder, 'formats-'));
beforeEach(() => {
  plugins = pluginFolder();
});

interface Setting {
  /** Folder of the plug-ins, if a test needs a separate one. */
  readonly where?: string;
  /** Without the sandbox of the operating system: only Node's permissions and Limner's own checks. */
  readonly bare?: boolean;
  readonly taken?: readonly string[];
  readonly limits?: Partial<PluginLimits>;
}

function formatsIn(where: string, { bare = false, taken = [], limits: own = {} }: Setting = {}) {
  const isTaken = (name: string) => (taken.includes(name) ? ({} as never) : undefined);
  const sandbox = found && { ...found, limits: { ...found.limits, ...own } };
  return createUserFormats({
    folders: () => [where],
    sandbox: () => sandbox && (bare ? { ...sandbox, namespaces: [], hasResourceLimits: false } : sandbox),
    builtIn: async () => ({ findImporter: isTaken, findExporter: isTaken }),
  });
}

const newTask = () => createInMemoryTaskData({ frames: [{ name: 'a.jpg' }], labels: [{ name: 'car' }] });

async function importWith(name: string, setting?: Setting, signal = new AbortController().signal) {
  const formats = formatsIn(setting?.where ?? plugins, setting);
  await formats.refresh();
  const reference = formats.findImporter(name);
  if (!reference) throw new Error(`not offered: ${JSON.stringify(formats.list().broken)}`);
  const report = createFormatReport();
  const task = newTask();
  const options = { report, signal, progress: () => undefined, conv_mask_to_poly: true };
  await pluginImporter(reference).run({ path: input, name: 'input.txt' }, task, options);
  return { task, summary: report.summary() };
}

const plugin = (name: string, body: string, where = plugins) =>
  writeFileSync(join(where, `${name}.mjs`), hostileModule(name, body));

describe('formats that a person brings', () => {
  it('imports and exports the same boxes with the template, and reports unreadable and unsupported data', async () => {
    copyFileSync(template, join(plugins, 'box-list.ts'));
    writeFileSync(
      input,
      '\uFEFF'.slice(1) +
        'a.jpg\tcar\t1\t2\t30\t40.25\nb.jpg\tcar\t1\t2\t3\t4\na.jpg\tbus\t1\t2\t3\t4\na.jpg\tcar\tx\n',
    );
    const { task, summary } = await importWith('Box list 1.0');
    expect(task.shapes).toMatchObject([{ type: 'rectangle', label: 'car', points: [1, 2, 31, 42.25] }]);
    expect(summary.included).toEqual([{ type: 'rectangle', label: 'car', count: 1 }]);
    expect(summary.invalid.map(({ at }) => at).toSorted()).toEqual(['line 2', 'line 3', 'line 4']);

    const formats = formatsIn(plugins);
    await formats.refresh();
    const reference = formats.findExporter('box LIST 1.0');
    if (!reference) throw new Error('The exporter is not offered.');
    const report = createFormatReport();
    const filled = createInMemoryTaskData({
      frames: [{ name: 'a.jpg' }],
      labels: [{ name: 'car' }],
      shapes: [...task.shapes, { ...(task.shapes[0] ?? ({} as never)), type: 'polygon', points: [1, 1, 2, 2, 3, 1] }],
    });
    const path = join(folder, 'out.tsv');
    const signal = new AbortController().signal;
    await pluginExporter(reference).run({ path }, filled, {
      report,
      signal,
      progress: () => undefined,
      save_images: false,
    });
    expect(readFileSync(path, 'utf8')).toBe('a.jpg\tcar\t1\t2\t30\t40.25\n');
    expect(report.summary().dropped).toEqual([
      { type: 'polygon', label: 'car', rule: 'A box list has boxes only.', count: 1 },
    ]);
  });

  it('creates its objects by the types of task_data, like a plug-in of CVAT', async () => {
    const made = `import { importer } from 'limner/formats';
      export const it = importer({ name: 'Ported', version: '1.0', ext: 'TXT', display_name: 'Ported' })(async (file, task_data) => {
        const { Attribute, LabeledShape, TrackedShape, Track, Tag, Frame } = task_data;
        const common = { frame: 0, label: 'car', attributes: [], group: 0, occluded: false, z_order: 0 };
        task_data.add_shape(task_data.LabeledShape({ ...common, type: 'rectangle', points: [1, 2, 3, 4] }));
        task_data.add_shape(new LabeledShape({ ...common, type: 'rectangle', points: [5, 6, 7, 8] }));
        task_data.add_tag(Tag({ frame: 0, label: 'car', attributes: [], group: 0 }));
        const shape = TrackedShape({ ...common, type: 'rectangle', points: [1, 1, 2, 2], outside: false, keyframe: true });
        task_data.add_track(Track({ label: 'car', group: 0, shapes: [shape] }));
        if (Attribute({ name: 'a', value: 'b' }).value !== 'b' || Frame({ frame: 3 }).frame !== 3) throw new Error('no');
      });`;
    writeFileSync(join(plugins, 'ported.mjs'), made);
    const { task } = await importWith('Ported');
    expect(task.shapes.map(({ points }) => points)).toEqual([
      [1, 2, 3, 4],
      [5, 6, 7, 8],
    ]);
    expect([task.tags.length, task.tracks.length]).toEqual([1, 1]);
  });

  it('detects its files, and is offered by their extension otherwise', async () => {
    const { detectPluginFormats } = await import('../../../main/formats/user-plugins/plugin-detection.ts');
    copyFileSync(template, join(plugins, 'box-list.ts'));
    const plain = (name: string, detect: string) =>
      `import { importer } from 'limner/formats';
       export const it = importer({ name: '${name}', version: '1.0', ext: 'TXT', display_name: '${name}', ${detect} })(async () => {});`;
    const write = (name: string, detect: string) => writeFileSync(join(plugins, `${name}.mjs`), plain(name, detect));
    write('silent', '');
    write('throws', "detect() { throw new Error('no'); }");
    write('slow', 'detect: () => new Promise(() => setInterval(() => {}, 1000))');
    write('refuses', 'detect: () => null');
    write('boasts', "detect: () => ({ reason: 'Because.', confidence: 7 })");
    const formats = formatsIn(plugins, { limits: { detectMs: 1500 } });
    await formats.refresh();
    expect(formats.list().broken).toEqual([]);
    const found = await detectPluginFormats({ path: input, name: 'input.txt' }, formats.references().importers);
    expect(found.map(({ name, confidence }) => [name, confidence]).toSorted()).toEqual([
      ['Box list 1.0', 0.9],
      ['silent', 0.1],
      ['slow', 0.1],
      ['throws', 0.1],
    ]);
    const reasons = new Map(found.map(({ name, reason }) => [name, reason]));
    expect(reasons.get('Box list 1.0')).toContain('image, a label and the four numbers');
    expect(reasons.get('silent')).toContain('ends in .txt');
    const other = join(folder, 'other.bin');
    writeFileSync(other, 'something else');
    expect(await detectPluginFormats({ path: other, name: 'other.bin' }, formats.references().importers)).toEqual([]);
  });

  it('accepts modules and folders, and lists each broken one with its reason while the others work', async () => {
    const write = (name: string, text: string) => writeFileSync(join(plugins, name), text);
    copyFileSync(template, join(plugins, 'box-list.ts'));
    mkdirSync(join(plugins, 'two-files'));
    write('two-files/part.js', "export const name = 'Parts 1.0';");
    write(
      'two-files/index.js',
      `import { importer } from 'limner/formats'; import { name } from './part.js';
       export const it = importer({ name: 'Parts', version: '1.0', ext: 'TXT', display_name: name })(class { async run() {} });`,
    );
    write('not-closed.mjs', 'export const = ;');
    write('nothing.js', 'export const nothing = 1;');
    write('throws.ts', "export const it = 1; throw new Error('not today');");
    write('loops.mjs', 'for (;;);');
    write('exits.mjs', 'process.exit(3);');
    write('common.cjs', 'module.exports = {};');
    write('required.js', "const fs = require('fs'); module.exports = {};");
    write('network.ts', "import net from 'node:net'; export const it = net;");
    write('outside.ts', "export { secret } from '../secret.json' with { type: 'json' };");
    write('bad-ext.mjs', hostileModule('x', '').replace("ext: 'TXT'", "ext: '../..'"));
    write('twin.ts', readFileSync(template, 'utf8'));
    write('taken.mjs', hostileModule('COCO 1.0', ''));
    symlinkSync(template, join(plugins, 'linked.ts'));
    write('_helper.js', 'throw 1');
    write('notes.txt', 'no module');
    write('types.d.ts', 'export {};');

    const formats = formatsIn(plugins, { taken: ['coco 1.0'] });
    await formats.refresh();
    const { importers, exporters, broken } = formats.list();
    expect(importers.map(({ name }) => name).toSorted()).toEqual(['Box list 1.0', 'Parts 1.0']);
    expect(exporters).toEqual([{ name: 'Box list 1.0', ext: 'TSV', version: '1.0', enabled: true, dimension: '2d' }]);
    const reasons = new Map(broken.map(({ file, reason }) => [file.slice(plugins.length + 1), reason]));
    expect([...reasons.keys()].toSorted()).toEqual([
      'bad-ext.mjs',
      'common.cjs',
      'exits.mjs',
      'linked.ts',
      'loops.mjs',
      'network.ts',
      'not-closed.mjs',
      'nothing.js',
      'outside.ts',
      'required.js',
      'taken.mjs',
      'throws.ts',
      'twin.ts',
    ]);
    expect(reasons.get('throws.ts')).toContain('not today');
    expect(reasons.get('loops.mjs')).toContain('6 s');
    expect(reasons.get('exits.mjs')).toContain('code 3');
    expect(reasons.get('network.ts')).toContain('cannot import "node:net"');
    expect(reasons.get('linked.ts')).toContain('symbolic link');
    expect(reasons.get('taken.mjs')).toContain('already used by Limner itself');
    expect(reasons.get('twin.ts')).toContain('box-list.ts');
    expect(reasons.get('outside.ts')).not.toContain('canary');
  });

  it('loads a module again when it changed, and not otherwise', async () => {
    const file = join(plugins, 'box-list.ts');
    const text = readFileSync(template, 'utf8').replace("'Box list 1.0'", '`Box list ${Math.random()}`');
    writeFileSync(file, text);
    const formats = formatsIn(plugins);
    const names = async () => {
      await formats.refresh();
      return formats.list().importers.map(({ name }) => name);
    };
    const loaded = await names();
    expect(loaded).toEqual([expect.stringMatching(/^Box list 0\.\d+$/)]);
    expect(await names()).toEqual(loaded);
    writeFileSync(file, `${text}\n`);
    const again = await names();
    expect(again).toHaveLength(1);
    expect(again).not.toEqual(loaded);
    rmSync(file);
    await formats.refresh();
    expect(formats.list().importers).toEqual([]);
  });

  it('streams more objects than fit into its memory', async () => {
    const body = `const points = Array.from({ length: 200 }, (_, i) => i / 4);
      for (let i = 0; i < 100000; i += 1) task_data.add_shape({ type: 'polygon', frame: 0, label: 'car', points, occluded: false, attributes: [], group: 0, z_order: i });`;
    plugin('Many', body);
    const formats = formatsIn(plugins);
    await formats.refresh();
    const reference = formats.findImporter('Many');
    if (!reference) throw new Error('not offered');
    const task = newTask();
    let numbers = 0;
    const counting = {
      ...task,
      add_shape: ({ points }: { points: readonly number[] }) => void (numbers += points.length),
    };
    const options = { report: createFormatReport(), signal: new AbortController().signal, progress: () => undefined };
    const roomy = {
      ...reference,
      sandbox: { ...reference.sandbox, limits: { ...reference.sandbox.limits, totalMs: 60_000 } },
    };
    await pluginImporter(roomy).run({ path: input, name: 'i' }, counting, { ...options, conv_mask_to_poly: true });
    // 20 million numbers as doubles are 160 MB. The process has 128.
    expect(numbers).toBe(100_000 * 200);
  });

  it('stops at once when it is cancelled', async () => {
    plugin('Slow', 'for (;;) { options.progress(0.2); await new Promise((go) => setTimeout(go, 60)); }');
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('enough')), 500);
    await expect(importWith('Slow', {}, controller.signal)).rejects.toThrow('enough');
  });
});

describe.each([
  ['with what the system offers', false],
  ['with what Node and the locks offer alone', true],
])('hostile plug-ins, %s', (_name, bare) => {
  const escaped = (warnings: readonly string[]) => warnings.filter((warning) => warning.startsWith('ESCAPED'));

  it('cannot read or write files of others', async () => {
    plugin('Files', fileAttempts.replaceAll('SECRET', join(folder, 'secret.json')));
    const { summary } = await importWith('Files', { bare });
    expect(escaped(summary.warnings)).toEqual([]);
    expect(summary.warnings.length).toBe(15);
    expect(readFileSync(input, 'utf8')).not.toBe('x');
    expect(existsSync('/tmp/limner-escape')).toBe(false);
  });

  it('reach nothing over the network', async () => {
    let reached = 0;
    const count = (): Server => createServer((socket) => void ((reached += 1), socket.destroy()));
    const unixPath = join(plugins, 'listener.sock');
    const [tcp, unix] = [count(), count()];
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
    await new Promise<void>((resolve) => unix.listen(unixPath, resolve));
    try {
      const { port } = tcp.address() as { port: number };
      plugin('Network', networkAttempts.replaceAll('PORT', String(port)).replaceAll('UNIX', unixPath));
      const { summary } = await importWith('Network', { bare });
      expect(escaped(summary.warnings)).toEqual([]);
      expect(summary.warnings.length).toBe(13);
      await sleep(100);
      expect(reached).toBe(0);
    } finally {
      tcp.close();
      unix.close();
    }
  });

  it('cannot start, end or debug processes', async () => {
    let terminated = false;
    const onTerm = () => (terminated = true);
    process.on('SIGTERM', onTerm);
    try {
      plugin('Processes', processAttempts);
      const { summary } = await importWith('Processes', { bare });
      expect(escaped(summary.warnings)).toEqual([]);
      expect(summary.warnings.length).toBe(11);
      expect(terminated).toBe(false);
    } finally {
      process.off('SIGTERM', onTerm);
    }
  });

  it.concurrent.each(faults)('%s ends with a sentence', async (name, body, says) => {
    const where = pluginFolder();
    plugin('Fault', body, where);
    const failure = await importWith('Fault', { where, bare, limits: hasty[name] ?? {} }).catch(
      (error: unknown) => error as Error,
    );
    expect(failure).toBeInstanceOf(Error);
    const { message } = failure as Error;
    expect(message, name).toMatch(says);
    expect(message).toMatch(/^The plug-in Fault\.mjs .*Nothing was imported\.$/s);
  });
});

describe('nuisances of plug-ins', () => {
  it.each([
    ['flood the output', nuisances.flood],
    ['pollute prototypes', nuisances.pollution],
    ['send objects with a prototype', nuisances.prototypes],
  ])('%s and harm nothing', async (_name, body) => {
    plugin('Nuisance', body);
    const { task } = await importWith('Nuisance');
    expect(task.shapes.length).toBe(1);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect((task.shapes[0] as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('cannot fill the report', async () => {
    plugin('Warnings', nuisances.warnings);
    const { summary } = await importWith('Warnings');
    expect(summary.warnings.length).toBeLessThanOrEqual(2000);
    expect(Math.max(...summary.warnings.map((warning) => warning.length))).toBeLessThanOrEqual(500);
  });

  it('have each invalid object reported, and the valid one imported', async () => {
    plugin('Bad objects', nuisances.badObjects);
    const { task, summary } = await importWith('Bad objects');
    expect(task.shapes).toMatchObject([{ type: 'points', points: [1, 2] }]);
    expect(task.tracks).toEqual([]);
    expect(task.tags).toEqual([]);
    expect(summary.invalidCount).toBe(21);
    expect(
      summary.invalid.every(({ file, at, reason }) => file === 'input.txt' && /^object \d+$/.test(at) && reason !== ''),
    ).toBe(true);
  });
});

describe('plug-ins in a running workbench', () => {
  let server: RunningServer;
  let client: TestClient;
  let dataDir: string;
  beforeAll(async () => {
    dataDir = mkdtempSync(join(folder, 'data-'));
    const named = join(folder, 'named');
    mkdirSync(join(dataDir, 'formats'));
    mkdirSync(named);
    writeFileSync(join(dataDir, 'settings.json'), JSON.stringify({ formatsFolder: named }));
    copyFileSync(template, join(named, 'box-list.ts'));
    const adds = 'for (let i = 0; i < 5000; i += 1) add(i);';
    writeFileSync(
      join(dataDir, 'formats', 'late.mjs'),
      hostileModule('Late throw', `${adds} throw new Error('too late');`),
    );
    writeFileSync(join(dataDir, 'formats', 'loop.mjs'), hostileModule('Endless', `${adds} for (;;);`));
    writeFileSync(join(dataDir, 'formats', 'broken.mjs'), 'export const = ;');
    const env = { LIMNER_PLUGIN_SILENCE_SECONDS: '6', LIMNER_PLUGIN_MEMORY_MIB: '128' };
    server = await startServer({ dataDir, env });
    client = await signIn(server);
  });
  afterAll(async () => {
    await server?.stop();
  });

  it('are listed by the service and by the command line, the broken one with its reason', async () => {
    const { importers, exporters } = await client.good<Record<'importers' | 'exporters', { name: string }[]>>(
      'GET',
      '/api/server/annotation/formats',
    );
    const names = importers.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['COCO 1.0', 'Box list 1.0', 'Late throw', 'Endless']));
    expect(exporters.map(({ name }) => name)).toContain('Box list 1.0');
    const { output, exitCode } = await runLimner(['formats', '--data-dir', dataDir]);
    expect(exitCode).toBe(0);
    expect(output).toMatch(/^Box list 1\.0 +TSV +TSV$/m);
    expect(output).toMatch(/Plug-ins that cannot be used:\n.*broken\.mjs\n.*could not be loaded/);
  });

  it('import and export; a failed import leaves nothing, and the service keeps running', async () => {
    const task = await client.taskWithImages({ labels: [{ name: 'car' }] }, await makeImages(2));
    const name = (await client.meta('tasks', task.id)).frames?.[0]?.name ?? '';
    const file = join(folder, 'boxes.tsv');
    writeFileSync(file, `${name}\tcar\t1\t2\t30\t40.25\nnowhere.jpg\tcar\t1\t2\t3\t4\n`);
    const done = await client.importAnnotations('tasks', task.id, 'Box list 1.0', { path: file });
    expect((await client.report(done.id)).invalid).toMatchObject([{ at: 'line 2', file: 'boxes.tsv' }]);
    const { shapes } = await client.annotations('tasks', task.id);
    expect(shapes).toMatchObject([{ type: 'rectangle', points: [1, 2, 31, 42.25] }]);

    const out = join(folder, 'exported.tsv');
    await client.exportDataset('tasks', task.id, 'Box list 1.0', out);
    expect(readFileSync(out, 'utf8')).toBe(`${name}\tcar\t1\t2\t30\t40.25\n`);

    for (const [format, says] of [
      ['Late throw', /too late.*Nothing was imported/],
      ['Endless', /did not respond for 6 s.*Nothing was imported/],
    ] as const) {
      const failed = await client.ended(await client.startImport('tasks', task.id, format, { path: file }));
      expect(failed.status).toBe('failed');
      expect(failed.message).toMatch(says);
    }
    expect((await client.annotations('tasks', task.id)).shapes).toEqual(shapes);
    expect(server.isRunning()).toBe(true);
  });
});

it('runs in the desktop program itself in Node mode, if the PATH has no Node', async () => {
  const program = join(folder, 'electron');
  const script = `#!/bin/sh\n[ "$ELECTRON_RUN_AS_NODE" = 1 ] && exec ${nodeExecutable()} "$@"\nexit 1\n`;
  writeFileSync(program, script, { mode: 0o755 });
  const path = process.env['PATH'];
  process.env['PATH'] = '/usr/bin:/bin';
  const sandbox = findSandbox(hostFile, limits, { path: program, isElectron: true });
  process.env['PATH'] = path;
  expect(sandbox).toMatchObject({ node: program, environment: { ELECTRON_RUN_AS_NODE: '1' } });
  copyFileSync(template, join(plugins, 'box-list.ts'));
  const formats = createUserFormats({
    folders: () => [plugins],
    sandbox: () => sandbox,
    builtIn: async () => ({ findImporter: () => undefined, findExporter: () => undefined }),
  });
  await formats.refresh();
  expect(formats.list().broken).toEqual([]);
  expect(formats.list().importers).toHaveLength(1);
});
