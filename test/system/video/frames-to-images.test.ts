import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSource } from '../../../main/formats/io/open-source.ts';
import type { FrameCount } from '../../../preload/contract/schema/frames.ts';
import { shownBy } from '../../support/counter-video.ts';
import { ApiError, signIn, type TestClient } from '../../support/client.ts';
import { startServer, type RunningServer } from '../../support/server.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

const run = promisify(execFile);
const videoFrames = 120;
const coded = ['-c:v', 'mpeg4', '-q:v', '2', '-g', '12'];
const columns = "geq=lum='if(mod(floor(N/pow(2,floor(X*8/W))),2),235,16)':cb=128:cr=128";

const makeVideo = (file: string, source: string) =>
  run('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', source, '-frames:v', String(videoFrames), ...coded, file]);

const box = (frame: number, x: number, more: object = {}) => ({
  type: 'rectangle' as const,
  frame,
  points: [x, 2, x + 10, 12],
  occluded: false,
  attributes: [],
  ...more,
});

describe('frames of a video as images', () => {
  const folder = sharedFolder();
  const video = join(folder, 'counter.mkv');
  let server: RunningServer;
  let client: TestClient;

  const post = (path: string, json: object) => client.good<{ rq_id: string }>('POST', path, { json });
  const count = (id: number, json: object) =>
    client.good<FrameCount>('POST', `/api/limner/tasks/${id}/frames/count`, { json });

  /** Frame n of the task is frame 10 + 2n of the video; there are 55. */
  async function newVideoTask(task: object = {}, file = video): Promise<{ id: number; labelId: number }> {
    const { id } = await client.createTask({ name: 'a video', labels: [{ name: 'car' }], ...task });
    await client.finished(await client.useServerFiles(id, [file], { start_frame: 10, frame_filter: 'step=2' }));
    return { id, labelId: (await client.labels(id))[0]?.id ?? 0 };
  }

  /** A track visible on 0 to 19, a shape of group 3 on frame 5, a tag on frame 40. */
  async function annotated(task: object = {}): Promise<number> {
    const { id, labelId: label_id } = await newVideoTask(task);
    const keyframe = (frame: number, x: number, outside: boolean) => ({ ...box(frame, x), outside, z_order: 0 });
    await client.changeAnnotations('tasks', id, 'create', {
      version: 0,
      tags: [{ frame: 40, label_id, attributes: [] }],
      shapes: [{ ...box(5, 60), label_id, group: 3 }],
      tracks: [
        { frame: 0, label_id, group: 0, attributes: [], shapes: [keyframe(0, 0, false), keyframe(20, 40, true)] },
      ],
    });
    return id;
  }

  async function picturesIn(url: string): Promise<Record<string, number>> {
    const path = join(folder, 'archive.zip');
    await writeFile(path, await client.bytes(url));
    const source = await openSource({ path, name: 'archive.zip' });
    const found: Record<string, number> = {};
    for (const entry of source.entries) {
      if (/\.(jpe?g|png)$/i.test(entry.path)) found[entry.path] = await shownBy(await source.read(entry.path));
    }
    await source.close();
    return found;
  }

  beforeAll(async () => {
    await makeVideo(video, `color=black:size=160x48:rate=30,${columns}`);
    server = await startServer();
    client = await signIn(server);
  });
  afterAll(async () => {
    await server.stop();
  });

  it('reports their number before anything is created', async () => {
    const id = await annotated();
    expect(await count(id, {})).toEqual({ count: 55, total: 55, deleted: 0 });
    expect(await count(id, { every: 10 })).toEqual({ count: 6, total: 55, deleted: 0 });
    expect(await count(id, { frames: '0-20:10, 54' })).toEqual({ count: 4, total: 55, deleted: 0 });
    const many = Array.from({ length: 10_000 }, (_, index) => index % 50).join(', ');
    expect(await count(id, { frames: many })).toEqual({ count: 50, total: 55, deleted: 0 });
    // The track is outside from 20 on.
    expect(await count(id, { annotated: true })).toEqual({ count: 21, total: 55, deleted: 0 });
    expect(await count(id, { annotated: true, frames: '15-54:5' })).toEqual({ count: 2, total: 55, deleted: 0 });
    await client.good('PATCH', `/api/tasks/${id}/data/meta`, { json: { deleted_frames: [10, 40] } });
    expect(await count(id, { every: 10 })).toEqual({ count: 4, total: 53, deleted: 2 });
    expect(await count(id, { annotated: true })).toMatchObject({ count: 19, total: 53 });
  });

  it('become a task: images by their number in the video, with their objects', async () => {
    const id = await annotated();
    const body = { name: 'stills', frames: '0-20:10, 5, 40', image_format: 'png' };
    const done = await client.finished((await post(`/api/limner/tasks/${id}/frames/task`, body)).rq_id);
    expect(done.message).toBe('The task "stills" with 5 images was created. 5 objects imported.');
    const made = await client.task(done.result_id ?? 0);
    expect(made).toMatchObject({ name: 'stills', mode: 'annotation', size: 5, project_id: null });
    const meta = await client.meta('tasks', made.id);
    expect(meta.frames?.map(({ name }) => name)).toEqual([10, 20, 30, 50, 90].map((n) => `frame_0000${n}.png`));
    for (const [frame, number] of [10, 20, 30, 50, 90].entries()) {
      const path = `/api/tasks/${made.id}/data/?type=frame&quality=original&number=${frame}`;
      expect(await shownBy(await client.bytes(path))).toBe(number);
    }
    const { shapes, tags, tracks } = await client.annotations('tasks', made.id);
    expect(tracks).toEqual([]);
    expect(tags.map(({ frame }) => frame)).toEqual([4]);
    const seen = shapes.map(({ frame, points, group }) => [frame, points[0], group]);
    // The track's box is interpolated between keyframes. Its group has the number after the existing ones.
    expect(seen.toSorted()).toEqual([
      [0, 0, 4],
      [1, 10, 4],
      [1, 60, 3],
      [2, 20, 4],
    ]);
    const [label] = await client.labels(made.id);
    expect(label).toMatchObject({ name: 'car', task_id: made.id });
    expect(await client.report(done.id)).toMatchObject({ dropped: [], invalidCount: 0 });
  });

  it('reports dropped tracks if they are not kept as groups', async () => {
    const id = await annotated();
    const body = { name: 'apart', every: 10, track_groups: false };
    const done = await client.finished((await post(`/api/limner/tasks/${id}/frames/task`, body)).rq_id);
    const { dropped } = await client.report(done.id);
    expect(dropped).toMatchObject([{ type: 'track', label: 'car', count: 1 }]);
    const { shapes } = await client.annotations('tasks', done.result_id ?? 0);
    expect(shapes.map(({ group }) => group)).toEqual([0, 0]);
    expect((await client.meta('tasks', done.result_id ?? 0)).frames?.[1]?.name).toBe('frame_000030.jpg');
  });

  it('are added to the project of the video, with its labels, or next to it with copies', async () => {
    const project = await client.createProject('a project', [{ name: 'car' }, { name: 'bus' }]);
    const { id } = await newVideoTask({ project_id: project.id, labels: undefined });
    const labels = await client.labels(id);
    const inside = await post(`/api/limner/tasks/${id}/frames/task`, { name: 'in', frames: '0' });
    const first = await client.task((await client.finished(inside.rq_id)).result_id ?? 0);
    expect(first.project_id).toBe(project.id);
    expect((await client.labels(first.id)).map((label) => label.id)).toEqual(labels.map((label) => label.id));
    const body = { name: 'out', frames: '0', same_project: false, annotations: false };
    const beside = await post(`/api/limner/tasks/${id}/frames/task`, body);
    const second = await client.task((await client.finished(beside.rq_id)).result_id ?? 0);
    expect(second.project_id).toBeNull();
    expect((await client.labels(second.id)).map(({ name }) => name).toSorted()).toEqual(['bus', 'car']);
  });

  it('are written into an archive', async () => {
    const { id } = await newVideoTask();
    const body = { frames: '0, 54', image_quality: 90, filename: 'my frames.zip' };
    const done = await client.finished((await post(`/api/limner/tasks/${id}/frames/files`, body)).rq_id);
    expect(await picturesIn(done.result_url ?? '')).toEqual({ 'frame_000010.jpg': 10, 'frame_000118.jpg': 118 });
  });

  it('are added to a task of images, each under its number in the video', async () => {
    const still = join(folder, 'still.png');
    await run('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', 'color=gray:size=16x16', '-frames:v', '1', still]);
    const { id } = await client.createTask({ labels: [{ name: 'car' }] });
    await client.finished(await client.useServerFiles(id, [still]));
    const json = { server_files: [video], every: 50 };
    const { rq_id: rqId } = await client.good<{ rq_id: string }>('POST', `/api/limner/tasks/${id}/images/`, { json });
    const done = await client.finished(rqId);
    expect((await client.report(done.id)).warnings).toEqual(['3 of the 120 frames of counter.mkv became images.']);
    const { frames } = await client.meta('tasks', id);
    expect(frames?.slice(1).map(({ name, width, height }) => [name, width, height])).toEqual(
      ['000000', '000050', '000100'].map((number) => [`counter_${number}.jpg`, 160, 48]),
    );
    for (const [index, number] of [0, 50, 100].entries()) {
      const path = `/api/tasks/${id}/data/?type=frame&quality=original&number=${index + 1}`;
      expect(await shownBy(await client.bytes(path))).toBe(number);
    }
    const none = { server_files: [video], every: 0 };
    const refused = await client.call('POST', `/api/limner/tasks/${id}/images/`, { json: none });
    expect(refused.status).toBe(400);
  });

  it('are refused without frames, or without a video', async () => {
    const { id } = await newVideoTask();
    const refused = async (json: object) => {
      const answer = await client.call('POST', `/api/limner/tasks/${id}/frames/files`, { json });
      expect(answer.status).toBe(400);
      return answer.body;
    };
    expect(await refused({ annotated: true })).toEqual({
      frames: ['No frames selected: the requested ones are deleted, or have no annotations.'],
    });
    expect(await refused({ frames: '0-55' })).toEqual({ frames: ['Frame 55 does not exist: the frames are 0 to 54.'] });
    expect(await refused({ image_format: 'png', image_quality: 90 })).toEqual({
      image_quality: ['PNG has no quality setting. Leave this out.'],
    });
  });

  describe('slow ones', () => {
    const large = join(folder, 'large.mkv');
    beforeAll(async () => {
      await makeVideo(large, 'testsrc2=size=1280x720:rate=30');
    });

    const foldersOfTasks = () => readdirSync(join(server.dataDir, 'data')).filter((name) => /^\d+$/.test(name));

    /** A request whose first images are in the folder of a task that is not visible yet. */
    async function startedTask(): Promise<{ rqId: string; id: number }> {
      const { id } = await newVideoTask({}, large);
      const before = new Set(foldersOfTasks());
      const { rq_id: rqId } = await post(`/api/limner/tasks/${id}/frames/task`, { name: 'many', image_format: 'png' });
      await expect
        .poll(() =>
          foldersOfTasks().some((name) => {
            const raw = join(server.dataDir, 'data', name, 'raw');
            return !before.has(name) && existsSync(raw) && readdirSync(raw).length > 0;
          }),
        )
        .toBe(true);
      return { rqId, id };
    }

    const tasksNamed = async (name: string) =>
      (await client.good<{ results: { id: number; size: number }[] }>('GET', '/api/tasks', { query: { name } }))
        .results;

    it('leave nothing when they are cancelled', async () => {
      const before = (await tasksNamed('many')).length;
      const { rqId, id } = await startedTask();
      await client.good('POST', `/api/requests/${encodeURIComponent(rqId)}/cancel`);
      const ended = await client.ended(rqId);
      expect(ended).toMatchObject({ status: 'failed', message: 'Cancelled. Nothing was changed.' });
      expect(await tasksNamed('many')).toHaveLength(before);
      expect(
        foldersOfTasks()
          .map(Number)
          .filter((one) => one > id),
      ).toEqual([]);
    });

    it('start again after a crash, and become one complete task', async () => {
      const { rqId, id } = await startedTask();
      await server.kill9();
      server = await server.restart();
      client = client.at(server.url);
      const done = await client.finished(rqId);
      const tasks = await tasksNamed('many');
      expect(tasks).toMatchObject([{ id: done.result_id, size: 55 }]);
      expect(readdirSync(join(server.dataDir, 'data', String(done.result_id), 'raw'))).toHaveLength(55);
      await expect
        .poll(() =>
          foldersOfTasks()
            .map(Number)
            .filter((one) => one > id),
        )
        .toEqual([done.result_id]);
    });
  });

  describe('in an export', () => {
    async function exported(id: number, query: Readonly<Record<string, string | boolean>>) {
      const path = `/api/tasks/${id}/dataset/export`;
      const { rq_id: rqId } = await client.good<{ rq_id: string }>('POST', path, { query });
      const done = await client.finished(rqId);
      return { pictures: await picturesIn(done.result_url ?? ''), report: await client.report(rqId) };
    }

    it.each(['COCO 1.0', 'YOLO 1.1', 'PASCAL VOC 1.1', 'CVAT for images 1.1', 'Datumaro 1.0'])(
      '%s: all of them for clients of CVAT, the annotated ones on request',
      async (format) => {
        const id = await annotated();
        const all = await exported(id, { format, save_images: true });
        expect(Object.values(all.pictures).toSorted((a, b) => a - b)).toEqual(
          Array.from({ length: 55 }, (_, frame) => 10 + 2 * frame),
        );
        const some = await exported(id, { format, save_images: true, only_annotated_frames: true });
        expect(Object.values(some.pictures).toSorted((a, b) => a - b)).toEqual([
          ...Array.from({ length: 20 }, (_, frame) => 10 + 2 * frame),
          90,
        ]);
        expect(some.report.warnings).toContain('Only frames with annotations are in the file: 21 of 55.');
        expect(some.report.included).toEqual(all.report.included);
      },
    );

    it('of sequences includes all', async () => {
      const id = await annotated();
      const query = { format: 'MOT 1.1', save_images: true, only_annotated_frames: true };
      const error = await client
        .good('POST', `/api/tasks/${id}/dataset/export`, { query })
        .catch((failure: unknown) => failure);
      expect(error).toBeInstanceOf(ApiError);
      expect(String(error)).toContain('MOT 1.1 is a format of sequences');
    });

    it('without annotations says so', async () => {
      const { id } = await newVideoTask();
      const query = { format: 'COCO 1.0', save_images: true, only_annotated_frames: true };
      const { rq_id: rqId } = await client.good<{ rq_id: string }>('POST', `/api/tasks/${id}/dataset/export`, {
        query,
      });
      const { status, message } = await client.ended(rqId);
      expect(status).toBe('failed');
      expect(message).toBe('No frame has annotations, so the file would be empty. Export all frames instead.');
    });
  });
});
