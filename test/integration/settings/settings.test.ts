import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { signIn } from '../../support/client.ts';
import { startServer } from '../../support/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { runHere } from '../cli/support/run-here.ts';
import { runLimner } from '../cli/support/run-limner.ts';

const programOf = (name: string): string => execFileSync('which', [name], { encoding: 'utf8' }).trim();

function film() {
  const command = '-v error -f lavfi -i testsrc=size=96x64:rate=10 -frames:v 20 -pix_fmt yuv420p';
  const output = ['-movflags', 'frag_keyframe+empty_moov', '-f', 'mp4', '-'];
  return { name: 'film.mp4', bytes: execFileSync('ffmpeg', [...command.split(' '), ...output]) };
}

test('videos are read with the ffmpeg of the settings if the PATH has none, from the next video on', async () => {
  const folder = temporaryFolder();
  const tools = join(folder, 'tools');
  mkdirSync(tools);
  for (const name of ['ffmpeg', 'ffprobe']) symlinkSync(programOf(name), join(tools, name));
  const bytes = film();
  await using server = await startServer({ dataDir: join(folder, 'workbench'), env: { PATH: folder } });
  const client = await signIn(server);
  expect(await client.good('GET', '/api/limner/settings')).toMatchObject({ video_tools: null });
  const refused = client.taskWithImages({ name: 'film', labels: [{ name: 'thing' }] }, [bytes]);
  await expect(refused).rejects.toThrow('Settings → Video');
  const changed = await client.good('PATCH', '/api/limner/settings', {
    json: { ffmpeg_path: join(tools, 'ffmpeg') },
  });
  expect(changed).toMatchObject({ video_tools: { ffmpeg: join(tools, 'ffmpeg'), ffprobe: join(tools, 'ffprobe') } });
  const task = await client.taskWithImages({ name: 'film', labels: [{ name: 'thing' }] }, [bytes]);
  const frame = await client.call('GET', `/api/tasks/${task.id}/data?type=frame&number=3&quality=original`);
  expect(frame.status).toBe(200);
  const doctor = await runLimner(['doctor', '--data-dir', server.dataDir], { env: { PATH: folder } });
  expect(doctor.output).toContain(join(tools, 'ffmpeg'));
});

test('settings are shown, set, carried in a file to another workbench and reset by the command line', async () => {
  const folder = temporaryFolder();
  const at = ['--data-dir', join(folder, 'first')];
  expect(await runLimner(['settings', 'set', 'backup-keep', '3', ...at])).toMatchObject({ exitCode: 0 });
  expect(await runHere(['settings', 'set', 'webhooks-private-networks', 'true', ...at])).toMatchObject({ exitCode: 0 });
  const wrong = await runHere(['settings', 'set', 'webhooks-loopback', 'perhaps', ...at]);
  expect(wrong).toMatchObject({ exitCode: 2, errorOutput: expect.stringContaining('Nothing was changed') });
  const shown = await runHere(['settings', 'show', '--json', ...at]);
  const file = join(folder, 'settings.json');
  const there = ['--data-dir', join(folder, 'second')];
  const settings = JSON.parse(shown.output) as { computer: Record<string, unknown> };
  expect(settings).toMatchObject({ backup: { keep: 3 }, webhooks: { allow_private_networks: true } });
  settings.computer['function_memory_mib'] = 2048;
  writeFileSync(file, JSON.stringify(settings));
  mkdirSync(join(folder, 'first', 'backups'), { recursive: true });
  const imported = await runHere(['settings', 'import', file, '--json', ...there]);
  expect(imported).toMatchObject({ exitCode: 0, errorOutput: '' });
  expect(JSON.parse(imported.output)).toEqual(settings);
  writeFileSync(file, '{"computer": {"ffmpeg": 1}}');
  expect(await runHere(['settings', 'import', file, ...there])).toMatchObject({ exitCode: 2 });
  const reset = await runHere(['settings', 'reset', '--json', ...there]);
  expect(JSON.parse(reset.output)).toMatchObject({
    computer: { function_memory_mib: null },
    backup: { keep: 7 },
    webhooks: { allow_private_networks: false },
  });
});

test('the address of the Docker Engine is a setting, and another computer is refused', async () => {
  const root = ['--data-dir', join(temporaryFolder(), 'workbench')];
  for (const value of ['tcp://10.0.0.7:2375', 'ssh://me@far', 'docker.sock']) {
    const refused = await runHere(['settings', 'set', 'docker-host', value, ...root]);
    expect(refused, value).toMatchObject({ exitCode: 3, errorOutput: expect.stringContaining('tcp://127.0.0.1:2375') });
  }
  const set = await runHere(['settings', 'set', 'docker-host', '/nowhere/odd.sock', ...root]);
  expect(set).toMatchObject({ exitCode: 0, output: expect.stringMatching(/docker-host\s+\/nowhere\/odd\.sock/) });
  const doctor = await runLimner(['doctor', ...root]);
  expect(doctor.output).toContain('There is no Docker Engine at /nowhere/odd.sock');
  const reset = await runHere(['settings', 'reset', 'docker-host', '--json', ...root]);
  expect(JSON.parse(reset.output)).toMatchObject({ computer: { docker_host: null } });
});

test('an unreadable settings file is quarantined with a sentence, and the workbench starts', async () => {
  const root = join(temporaryFolder(), 'workbench');
  mkdirSync(root);
  writeFileSync(join(root, 'settings.json'), '{"ffmpegPath": "/opt');
  const shown = await runLimner(['settings', 'show', '--data-dir', root]);
  expect(shown).toMatchObject({ exitCode: 0, errorOutput: expect.stringContaining('Cannot read the settings') });
  expect(readFileSync(join(root, 'settings.json.unreadable'), 'utf8')).toBe('{"ffmpegPath": "/opt');
  expect(existsSync(join(root, 'settings.json'))).toBe(false);
});
