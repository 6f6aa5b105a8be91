import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runLimner, type CommandResult } from '../integration/cli/support/run-limner.ts';
import { signIn, type TestClient } from '../support/client.ts';
import { makeImages } from '../support/images.ts';
import { startServer } from '../support/server.ts';
import { startSshServer } from '../support/ssh-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Place {
  readonly client: TestClient;
  readonly task: number;
  readonly limner: (...args: string[]) => Promise<CommandResult>;
}

async function makePlace(dataDir: string): Promise<Place> {
  const server = await startServer({ dataDir });
  onTestFinished(async () => void (await server.stop()));
  const client = await signIn(server);
  const images = await makeImages(2, { width: 40, height: 30 });
  const { id } = await client.taskWithImages({ labels: [{ name: 'boat' }] }, images);
  return { client, task: id, limner: (...args) => runLimner([...args, '--data-dir', dataDir]) };
}

async function draw({ client, task }: Place, x: number): Promise<void> {
  const [label] = await client.labels(task);
  const shape = { type: 'rectangle' as const, frame: 0, label_id: label!.id, points: [x, 1, x + 5, 9] };
  await client.changeAnnotations('tasks', task, 'create', { shapes: [shape] });
}

describe('limner git', () => {
  it('transfers annotations between data directories, from a terminal', async () => {
    const folder = temporaryFolder();
    const server = await startSshServer(join(folder, 'ssh'));
    onTestFinished(() => server.stop());
    const [here, there] = [await makePlace(join(folder, 'here')), await makePlace(join(folder, 'there'))];
    const address = server.address();
    const good = async (result: Promise<CommandResult>): Promise<string> => {
      const { exitCode, output, errorOutput } = await result;
      expect(exitCode, errorOutput).toBe(0);
      return output.trim();
    };

    for (const place of [here, there]) {
      server.authorize(await good(place.limner('key', 'create', 'a computer')));
      await good(place.limner('git', 'bind', String(place.task), address, '--folder', 'quay'));
    }
    const early = await here.limner('git', 'push', String(here.task));
    expect(early).toMatchObject({ exitCode: 3, errorOutput: expect.stringContaining('is not confirmed yet') });
    expect(await good(here.limner('git', 'host', address))).toBe(`ssh-ed25519 ${server.fingerprint()}`);
    for (const place of [here, there])
      await good(place.limner('git', 'host', address, '--confirm', server.fingerprint()));

    await draw(here, 2);
    expect(await good(here.limner('git', 'status', String(here.task)))).toBe(
      `${address} main quay\nto push: 1 added, 0 changed, 0 removed`,
    );
    expect(await good(here.limner('git', 'push', String(here.task), '--message', 'One boat'))).toBe(
      'Pushed: 1 added, 0 changed, 0 removed',
    );
    expect(await good(there.limner('git', 'pull', String(there.task)))).toBe('Pulled: 1 added, 0 changed, 0 removed');
    expect(await good(there.limner('git', 'push', String(there.task)))).toBe('Nothing to push.');
    expect(await good(there.limner('git', 'history', String(there.task)))).toMatch(
      /\n[0-9a-f]{12} .* admin +One boat$/,
    );
    const copy = join(folder, 'copy');
    execFileSync('git', ['clone', '--quiet', server.repository, copy]);
    expect(execFileSync('git', ['-C', copy, 'ls-files'], { encoding: 'utf8' }).trim().split('\n')).toEqual([
      'quay/frames/000000.json',
      'quay/limner.json',
    ]);
  });

  it('transfers all tasks of a project, and names skipped ones', async () => {
    const folder = temporaryFolder();
    const repository = join(folder, 'data.git');
    execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', repository]);
    const places = [];
    for (const name of ['here', 'there']) {
      const { client, limner } = await makePlace(join(folder, name));
      const project = await client.createProject('harbour', [{ name: 'boat' }]);
      const images = await makeImages(2, { width: 40, height: 30 });
      const { id: task } = await client.taskWithImages({ name: 'quay', project_id: project.id }, images);
      await client.createTask({ name: 'later', project_id: project.id });
      const git = async (command: string, ...more: string[]) =>
        limner('git', command, String(project.id), ...more, '--project');
      places.push({ client, task, limner, git });
    }
    const [here, there] = places as [(typeof places)[0], (typeof places)[0]];
    for (const { git } of places)
      expect((await git('bind', repository)).output).toBe(`Project 1 is bound to ${repository}\n`);
    await draw(here, 2);
    const pushed = await here.git('push', '--message', 'One boat');
    expect(pushed.output).toBe('Pushed: 1 added, 0 changed, 0 removed\n');
    expect(pushed.errorOutput).toContain('later was skipped: It has no images yet.');
    expect((await there.git('pull')).output).toBe('Pulled: 1 added, 0 changed, 0 removed\n');
    expect((await there.git('status')).output).toContain('to push: 0 added, 0 changed, 0 removed');
    expect((await there.git('history')).output).toMatch(/\n[0-9a-f]{12} .* admin +One boat\n$/);
    expect((await there.git('unbind')).output).toBe('Project 1 is not bound.\n');
  });

  it('pushes a copy in a format, reports dropped data first, and asks where another program has changed it', async () => {
    const folder = temporaryFolder();
    const repository = join(folder, 'data.git');
    execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', repository]);
    const { client, task, limner } = await makePlace(join(folder, 'data'));
    const git = async (command: string, ...more: string[]) => limner('git', command, String(task), ...more);
    expect(await git('bind', repository, '--format', 'No such')).toMatchObject({
      errorOutput: expect.stringContaining('no exporter for No such'),
    });
    expect((await git('bind', repository, '--format', 'yolo 1.1')).output).toBe(
      `Task 1 is bound to ${repository}, with a copy in YOLO 1.1\n`,
    );
    const [label] = await client.labels(task);
    await client.changeAnnotations('tasks', task, 'create', {
      tags: [{ frame: 1, label_id: label!.id }],
      shapes: [{ type: 'rectangle', frame: 0, label_id: label!.id, points: [10, 6, 30, 24] }],
    });
    expect(await git('push')).toMatchObject({
      exitCode: 3,
      output: expect.stringMatching(/^MISSING IN THE COPY .*\ntag +boat +1 /),
      errorOutput: expect.stringContaining('Push with --accept-losses'),
    });
    expect((await git('push', '--accept-losses')).output).toContain('Pushed: 2 added, 0 changed, 0 removed\n');
    expect((await git('status')).output).toMatch(/\ncopy in YOLO 1.1\n$/);

    const clone = join(folder, 'clone');
    const inClone = (...args: string[]) => execFileSync('git', ['-C', clone, ...args], { encoding: 'utf8' });
    execFileSync('git', ['clone', '--quiet', repository, clone]);
    const [text = ''] = inClone('ls-files', 'export/**/image-000.txt').trim().split('\n');
    writeFileSync(join(clone, text), '0 0.6 0.5 0.5 0.6\n');
    inClone('-c', 'user.name=Else', '-c', 'user.email=else@example.org', 'commit', '--quiet', '-am', 'Moved');
    inClone('push', '--quiet');
    expect(await git('pull')).toMatchObject({
      exitCode: 3,
      output: expect.stringMatching(/has changed the copy in YOLO 1.1: 0 added, 1 changed, 0 removed\n$/),
      errorOutput: expect.stringContaining('--copy take'),
    });
    expect((await git('pull', '--copy', 'take')).output).toBe('Pulled: 0 added, 1 changed, 0 removed\n');
  });

  it('imports a locked key, and keeps it locked', async () => {
    const folder = temporaryFolder();
    const { limner } = await makePlace(join(folder, 'data'));
    const file = join(folder, 'key');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', 'open it', '-f', file]);
    expect(await limner('key', 'import', 'mine', file)).toMatchObject({
      exitCode: 3,
      errorOutput: expect.stringContaining('needs a passphrase'),
    });
    writeFileSync(join(folder, 'secret'), 'open it\n');
    expect((await limner('key', 'import', 'mine', file, '--passphrase-file', join(folder, 'secret'))).exitCode).toBe(0);
    expect((await limner('key', 'list')).output).toMatch(/^1 +mine +ssh-ed25519 +SHA256:\S+ +passphrase +never$/m);
    expect((await limner('key', 'remove', '1')).output).toBe('Removed key 1.\n');
  });
});
