import { describe, expect, test } from 'vitest';
import { picture, useWork } from './work-harness.ts';

const work = await useWork();

const files = ['a.png', 'b.png', 'c.png', 'd.png'];
async function prepare(data: object) {
  const { owner } = work;
  const images = await Promise.all(files.map(async (name) => ({ name, bytes: await picture(name) })));
  const { id } = await owner.createTask({ labels: [{ name: 'car' }], segment_size: 3 });
  return { id, request: await owner.ended(await owner.uploadImages(id, images, data)) };
}
const start = async (json: object) => {
  const { id } = await work.owner.createTask({});
  return work.owner.call('POST', `/api/tasks/${id}/data/`, { json: { image_quality: 70, ...json } });
};

describe('a task whose jobs get their files by name', () => {
  test('has them in that order, one job per list', async () => {
    const { id } = await prepare({ job_file_mapping: [['d.png'], ['/home/somebody/b.png', 'a.png', 'c.png']] });
    expect(await work.owner.task(id)).toMatchObject({ size: 4, segment_size: 3, overlap: 0, jobs: { count: 2 } });
    const { frames } = await work.owner.meta('tasks', id);
    expect(frames?.map(({ name }) => name)).toEqual(['d.png', 'b.png', 'a.png', 'c.png']);
    expect((await work.jobsOf(id)).map((job) => [job.start_frame, job.stop_frame])).toEqual([
      [0, 0],
      [1, 3],
    ]);
  });

  test('refuses different files', async () => {
    for (const [mapping, named] of [
      [[['a.png', 'b.png', 'c.png']], /d\.png/],
      [[['a.png', 'b.png', 'c.png', 'd.png', 'e.png']], /e\.png/],
    ] as const) {
      const { id, request } = await prepare({ job_file_mapping: mapping });
      expect(request.status).toBe('failed');
      expect(request.message).toMatch(named);
      expect(await work.jobsOf(id)).toEqual([]);
    }
  });

  test('refuses impossible files immediately', async () => {
    for (const mapping of [[['a.png', 'a.png']], [[]]]) {
      const { status, body } = await start({ server_files: ['/nowhere'], job_file_mapping: mapping });
      expect({ status, body }).toMatchObject({ status: 400, body: { job_file_mapping: [expect.any(String)] } });
    }
    expect(await start({ server_files: ['/nowhere'], job_file_mapping: [['a']], start_frame: 1 })).toMatchObject({
      status: 400,
    });
  });
});

test.each([
  ['remote_files', { remote_files: ['https://example.org/a.png'] }],
  ['cloud_storage_id', { server_files: ['/nowhere'], cloud_storage_id: 1 }],
  ['filename_pattern', { server_files: ['/nowhere'], filename_pattern: '*.png' }],
])('refuses %s with a sentence', async (field, json) => {
  expect(await start(json)).toMatchObject({ status: 400, body: { [field]: [expect.stringMatching(/\w+ \w+/)] } });
});
