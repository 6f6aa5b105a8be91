import { existsSync } from 'node:fs';
import { writeFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import type { OpenSuggestions } from '../../../preload/contract/schema/predictions.ts';
import { createClient } from '../../support/client.ts';
import { makeImages } from '../../support/images.ts';
import { compileCache, nodeExecutable, programEntry } from '../../support/node-executable.ts';
import { startServer } from '../../support/server.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

// The official client of the protocol is the judge: it validates every answer against the protocol.
const folder = sharedFolder();
const server = await startServer({ dataDir: join(folder, 'data') });
const service = createClient(server.url, server.authorization);
const connections: Client[] = [];
afterAll(async () => {
  await Promise.all(connections.map((client) => client.close()));
  await server.stop();
});

async function connect(...options: string[]): Promise<Client> {
  const client = new Client({ name: 'street-helper', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({
      command: nodeExecutable(),
      args: [programEntry('cli'), 'mcp', '--data-dir', server.dataDir, ...options],
      env: { ...(process.env as Record<string, string>), ...compileCache },
      stderr: 'ignore',
    }),
  );
  connections.push(client);
  return client;
}

type Answer = Awaited<ReturnType<Client['callTool']>>;
const textOf = (answer: Answer): string => {
  const [first] = (answer as { content: { type: string; text?: string }[] }).content;
  return first?.text ?? '';
};
async function good<Result>(client: Client, name: string, input: Record<string, unknown> = {}): Promise<Result> {
  const answer = await client.callTool({ name, arguments: input });
  expect(answer.isError ?? false, textOf(answer)).toBe(false);
  return JSON.parse(textOf(answer)) as Result;
}

const reader = await connect();
const writer = await connect('--write');
const images = await makeImages(3, { width: 64, height: 48 });
const task = await service.taskWithImages({ name: 'street', labels: [{ name: 'car', color: '#ff0000' }] }, images);
const jobs = await good<{ results: { id: number }[] }>(reader, 'list_jobs', { task_id: task.id });
const jobId = jobs.results[0]!.id;
const [label] = await service.labels(task.id);
const car = label!.id;

describe('reading', () => {
  it('offers only tools that change nothing without --write', async () => {
    const { tools } = await reader.listTools();
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['list_projects', 'look_at_frame', 'search_frames', 'get_evaluation']),
    );
    for (const { name } of (await writer.listTools()).tools) {
      if (names.includes(name)) continue;
      const answer = await reader.callTool({ name, arguments: {} }).catch((error: unknown) => error);
      expect(answer instanceof Error || (answer as Answer).isError, name).toBe(true);
    }
  });

  it('offers no tool that deletes, and no operation that replaces', async () => {
    const { tools } = await writer.listTools();
    expect(tools.filter(({ name }) => /delete|remove|replace|update|clear/.test(name))).toEqual([]);
    expect(tools.every(({ annotations }) => annotations?.destructiveHint === false)).toBe(true);
  });

  it('lists tasks and labels, with the fields that the contract has', async () => {
    const { results } = await good<{ results: { id: number; name: string; size: number }[] }>(reader, 'list_tasks');
    expect(results).toContainEqual(expect.objectContaining({ id: task.id, name: 'street', size: 3 }));
    const labels = await good<{ results: { name: string }[] }>(reader, 'list_labels', { task_id: task.id });
    expect(labels.results.map(({ name }) => name)).toEqual(['car']);
  });

  it('refuses an unknown field and a missing task in words', async () => {
    const unknown = await reader.callTool({ name: 'list_tasks', arguments: { owner_name: 'x' } });
    expect(unknown.isError).toBe(true);
    expect(textOf(unknown)).toContain('owner_name');
    const missing = await reader.callTool({ name: 'get_task', arguments: { id: 987_654 } });
    expect(missing.isError).toBe(true);
    expect(textOf(missing)).toMatch(/not found/i);
  });

  it('shows a frame with its objects, bounded in size', async () => {
    const big = await sharp({ create: { width: 3000, height: 2000, channels: 3, background: '#000000' } })
      .png()
      .toBuffer();
    const large = await service.taskWithImages({ name: 'large', labels: [{ name: 'sign', color: '#00ff00' }] }, [
      { name: 'large.png', bytes: big },
    ]);
    const [sign] = await service.labels(large.id);
    const [job] = (await good<{ results: { id: number }[] }>(reader, 'list_jobs', { task_id: large.id })).results;
    const shape = { type: 'rectangle', frame: 0, label_id: sign!.id, points: [600, 400, 2400, 1600] };
    await service.good('PATCH', `/api/jobs/${job!.id}/annotations/?action=create`, { json: { shapes: [shape] } });
    const answer = await reader.callTool({
      name: 'look_at_frame',
      arguments: { job_id: job!.id, frame: 0, longest_side: 600 },
    });
    const [about, view] = (answer as { content: { type: string; text?: string; data?: string }[] }).content;
    expect(about?.text).toContain('3000 × 2000 pixels, 1 objects. One pixel of this view (600 × 400) is 5.000');
    const raw = await sharp(Buffer.from(view!.data!, 'base64')).raw().toBuffer({ resolveWithObject: true });
    expect([raw.info.width, raw.info.height]).toEqual([600, 400]);
    const green = (x: number, y: number): number => raw.data[(y * 600 + x) * raw.info.channels + 1]!;
    // On the outline, inside the box, and outside.
    expect(green(300, 80)).toBeGreaterThan(150);
    expect(green(300, 200)).toBeGreaterThan(15);
    expect(green(30, 30)).toBeLessThan(10);
  });

  it('finds frames by a filter', async () => {
    const shapes = [{ type: 'rectangle', frame: 1, label_id: car, points: [1, 1, 9, 9] }];
    await service.good('PATCH', `/api/jobs/${jobId}/annotations/?action=create`, { json: { shapes } });
    const filter = { '==': [{ var: 'label' }, 'car'] };
    const found = await good<object>(reader, 'search_frames', { id: jobId, filter });
    expect(JSON.stringify(found)).toContain('1');
    const read = await good<{ shapes: { frame: number }[] }>(reader, 'read_annotations', {
      id: jobId,
      frame: 1,
      to_frame: 1,
    });
    expect(read.shapes.map(({ frame }) => frame)).toEqual([1]);
  });
});

describe('writing', () => {
  it('suggests objects under the name of the program; the annotations stay', async () => {
    const before = await service.good('GET', `/api/jobs/${jobId}/annotations/`);
    const shape = { type: 'rectangle', frame: 2, label_id: car, points: [10, 10, 30, 30], score: 0.8 };
    expect(await good(writer, 'suggest_objects', { task_id: task.id, shapes: [shape] })).toMatchObject({
      suggested: 1,
    });
    await good(writer, 'suggest_objects', { task_id: task.id, tags: [{ frame: 2, label_id: car }] });
    expect(await service.good('GET', `/api/jobs/${jobId}/annotations/`)).toEqual(before);
    const waiting = await service.good<OpenSuggestions>('GET', `/api/limner/jobs/${jobId}/suggestions?frame=2`);
    expect(waiting.frames).toEqual([{ frame: 2, count: 2 }]);
    expect(waiting.results).toMatchObject([{ name: 'street-helper', shapes: [{ source: 'auto', ...shape }] }]);

    const shapes = waiting.results[0]!.shapes.map(({ id }) => id);
    await service.good('POST', `/api/limner/jobs/${jobId}/suggestions/decided`, { json: { shapes } });
    const left = await service.good<OpenSuggestions>('GET', `/api/limner/jobs/${jobId}/suggestions?frame=2`);
    expect(left).toMatchObject({ results: [{ shapes: [], tags: [{ frame: 2 }] }], frames: [{ frame: 2, count: 1 }] });
  });

  it('refuses a suggestion for a label or frame that the task lacks', async () => {
    const shape = { type: 'rectangle', frame: 99, label_id: car, points: [1, 1, 2, 2] };
    const answer = await writer.callTool({ name: 'suggest_objects', arguments: { task_id: task.id, shapes: [shape] } });
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toContain('frames from 0 to 2');
  });

  it('creates a project and a task from a folder, adds labels, and exports to a new file only', async () => {
    const project = await good<{ id: number }>(writer, 'create_project', { name: 'city', labels: [{ name: 'bus' }] });
    const photos = join(folder, 'photos');
    await mkdir(photos);
    for (const { name, bytes } of images) await writeFile(join(photos, name), bytes);
    const made = await good<{ id: number; size: number }>(writer, 'create_task', {
      name: 'photos',
      paths: [photos],
      project_id: project.id,
    });
    expect(made.size).toBe(3);
    const labels = await good<{ name: string }[]>(writer, 'add_labels', {
      project_id: project.id,
      labels: [{ name: 'tram', color: '#112233' }],
    });
    expect(labels.map(({ name }) => name).sort()).toEqual(['bus', 'tram']);
    const file = join(folder, 'photos.zip');
    const order = { kind: 'task', id: made.id, format: 'COCO 1.0', file };
    expect(await good<{ file: string }>(writer, 'export', order)).toMatchObject({ file });
    expect(existsSync(file)).toBe(true);
    const again = await writer.callTool({ name: 'export', arguments: order });
    expect(textOf(again)).toContain('exists. Choose another name.');
  });

  it('refuses a relative path', async () => {
    const answer = await writer.callTool({ name: 'create_task', arguments: { name: 'x', paths: ['photos'] } });
    expect(textOf(answer)).toContain('Give an absolute path');
  });
});
