import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeExecutable, projectRoot } from '../../support/node-executable.ts';
import { serverEntries } from '../../support/server.ts';
import { runHere } from './support/run-here.ts';
import { runLimner } from './support/run-limner.ts';

describe('limner', () => {
  it('--help lists every command, examples and exit codes, on standard output', async () => {
    const { exitCode, output, errorOutput } = await runLimner(['--help']);
    expect(exitCode).toBe(0);
    for (const command of [
      'serve',
      'create-task',
      'add',
      'import',
      'undo',
      'export',
      'frames',
      'formats',
      'function',
      'model',
      'user',
      'token',
      'webhook',
      'doctor',
    ]) {
      expect(output).toMatch(new RegExp(`^  ${command}\\b`, 'm'));
    }
    expect(output).toContain('Exit codes:');
    expect(errorOutput).toBe('');
  });

  it('--version prints only the version', async () => {
    const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string };
    expect(await runLimner(['--version'])).toEqual({ exitCode: 0, output: `${version}\n`, errorOutput: '' });
  });

  it('ends with 2 for an unknown command, and says so on standard error', async () => {
    const { exitCode, output, errorOutput } = await runLimner(['paint']);
    expect({ exitCode, output }).toEqual({ exitCode: 2, output: '' });
    expect(errorOutput).toMatch(/unknown command 'paint'/);
  });

  it.each([
    ['an unknown option', ['serve', '--ports', '1'], /unknown option '--ports'/],
    ['a port that is none', ['serve', '--port', '80800'], /whole number from 0 to 65535/],
    ['an export without a format', ['export', '--task', '1'], /required option '--format/],
    ['an export of nothing', ['export', '--format', 'COCO 1.0'], /exactly one of --task ID/],
    ['two targets', ['export', '--format', 'COCO 1.0', '--task', '1', '--job', '2'], /exactly one of --task ID/],
    ['frames to nowhere', ['frames', '1', '--every', '10'], /exactly one of --to-task NAME/],
    ['frames every 0', ['frames', '1', '--every', '0', '--count'], /whole number/],
    ['frames of a job below 0', ['create-task', 'a', 'x.jpg', '--segment-size', '-3'], /whole number of at least 0/],
    ['no workers at all', ['function', 'deploy', 'x', '--workers', '0'], /whole number of at least 1/],
    ['append and replace', ['import', 'a.json', '--task', '1', '--append', '--replace'], /cannot be used with/],
  ])('ends with 2 and an error: %s', async (_what, args, message) => {
    const { exitCode, output, errorOutput } = await runHere(args);
    expect(exitCode).toBe(2);
    expect(errorOutput).toMatch(message);
    expect(output).toBe('');
  });

  it('formats lists names, for users and as JSON', async () => {
    const plain = await runHere(['formats']);
    expect(plain.exitCode).toBe(0);
    expect(plain.output).toMatch(/^COCO 1\.0\s+json, zip\s+zip$/im);
    expect(plain.output).toMatch(/^CVAT for images 1\.1\s+–\s+zip$/im);
    const asJson = await runHere(['formats', '--json']);
    const formats = JSON.parse(asJson.output) as { importers: { name: string }[]; exporters: { name: string }[] };
    expect(formats.importers.map(({ name }) => name)).toContain('YOLO 1.1');
    expect(formats.exporters.map(({ name }) => name)).toContain('Ultralytics YOLO Detection 1.0');
  });

  it('exits successfully when the reader of its output closes the pipe', async () => {
    const child = spawn(nodeExecutable(), [serverEntries.source, 'formats'], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    const errors: Buffer[] = [];
    child.stderr.on('data', (bytes: Buffer) => errors.push(bytes));
    const [code] = (await once(child, 'close')) as [number | null];
    expect(Buffer.concat(errors).toString()).toBe('');
    expect(code).toBe(0);
  });
});
