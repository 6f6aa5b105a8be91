import { beforeAll, describe, expect, test } from 'vitest';
import type { LabelWrite } from '../../../preload/contract/schema/labels.ts';
import type { Asset, Guide } from '../../../preload/contract/schema/review.ts';
import type { TestClient } from '../../support/client.ts';
import { picture, useWork } from './work-harness.ts';

const work = await useWork();
const project = await work.owner.createProject('with a guide', [{ name: 'car' }] as LabelWrite[]);
const images = [{ name: 'a.png', bytes: await picture('a') }];
const inProject = await work.owner.taskWithImages({ project_id: project.id }, images);
const alone = await work.owner.taskWithImages({ labels: [{ name: 'car' }] as LabelWrite[] }, images);

function sendPicture(client: TestClient, guideId: number | string, bytes: Uint8Array, name = 'a picture.png') {
  const form = new FormData();
  form.set('guide_id', String(guideId));
  form.set('file', new Blob([new Uint8Array(bytes)]), name);
  return client.call('POST', '/api/assets', { body: form });
}

test('projects, tasks and jobs name their guide, and jobs count their issues', async () => {
  const [job] = await work.jobsOf(inProject.id);
  const [other] = await work.jobsOf(alone.id);
  expect([project.guide_id, alone.guide_id, job?.guide_id]).toEqual([null, null, null]);
  const create = (json: object) => work.owner.good<Guide>('POST', '/api/guides', { json });
  const ofProject = await create({ project_id: project.id, markdown: 'draw well' });
  const ofTask = await create({ task_id: alone.id });
  expect((await work.project(project.id)).guide_id).toBe(ofProject.id);
  expect((await work.owner.task(alone.id)).guide_id).toBe(ofTask.id);
  expect((await work.jobsOf(inProject.id))[0]?.guide_id).toBe(ofProject.id);
  expect((await work.jobsOf(alone.id))[0]?.guide_id).toBe(ofTask.id);
  expect(other?.issues.count).toBe(0);
  await work.owner.good('POST', '/api/issues', {
    json: { job: other?.id, frame: 0, position: [1, 2], message: 'look' },
  });
  const [again] = await work.jobsOf(alone.id);
  expect(again?.issues).toEqual({ count: 1, url: `${work.workbench.url}/api/issues?job_id=${other?.id}` });
});

test('counts open issues of a project', async () => {
  const [job] = await work.jobsOf(inProject.id);
  const of = async (query: object) =>
    (await work.owner.good<{ count: number }>('GET', '/api/issues', { query: { project_id: project.id, ...query } }))
      .count;
  const before = await of({});
  const issue = { job: job?.id, frame: 0, position: [1, 2], message: 'look' };
  const { id } = await work.owner.good<{ id: number }>('POST', '/api/issues', { json: issue });
  expect([await of({}), await of({ resolved: 'false' })]).toEqual([before + 1, before + 1]);
  await work.owner.good('PATCH', `/api/issues/${id}`, { json: { resolved: true } });
  expect([await of({}), await of({ resolved: 'false' })]).toEqual([before + 1, before]);
});

test('refuses to overwrite a guide that another user saved since, if the client names its version', async () => {
  const { id } = await work.owner.taskWithImages({ labels: [{ name: 'car' }] as LabelWrite[] }, images);
  const first = await work.owner.good<Guide>('POST', '/api/guides', { json: { task_id: id, markdown: 'one' } });
  const path = `/api/guides/${first.id}`;
  const change = (markdown: string, on: Guide) => ({ json: { markdown, limner_based_on: on.updated_date } });
  const second = await work.owner.good<Guide>('PATCH', path, change('two', first));
  const refused = await work.owner.call('PATCH', path, change('three', first));
  expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('another user saved it') } });
  expect(await work.owner.good<Guide>('GET', path)).toEqual(second);
  await work.owner.good('PATCH', path, change('three', second));
  // Other clients send no `limner_based_on`, so their update is accepted.
  expect(await work.owner.good<Guide>('PATCH', path, { json: { markdown: 'four' } })).toMatchObject({
    markdown: 'four',
  });
});

describe('images of a guide', () => {
  let guideId: number;
  beforeAll(async () => {
    guideId = (await work.owner.task(alone.id)).guide_id ?? 0;
  });

  test('are stored unchanged and served to all users who may see the guide', async () => {
    const bytes = await picture('how to');
    const { status, body } = await sendPicture(work.owner, guideId, bytes, 'C:\\pictures\\how to.png');
    expect({ status, body }).toMatchObject({ status: 201, body: { filename: 'how to.png', guide_id: guideId } });
    const { uuid } = body as Asset;
    expect((await work.owner.bytes(`/api/assets/${uuid}`)).equals(bytes)).toBe(true);
    const answer = await work.owner.call('GET', `/api/assets/${uuid}`);
    expect(answer.headers.get('Content-Type')).toBe('image/png');
    expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');

    const annotator = await work.workbench.addUser('annotator');
    expect((await annotator.call('GET', `/api/assets/${uuid}`)).status).toBe(403);
    expect((await sendPicture(annotator, guideId, bytes)).status).toBe(403);
    const [job] = await work.jobsOf(alone.id);
    const { id } = await annotator.good<{ id: number }>('GET', '/api/users/self');
    await work.owner.good('PATCH', `/api/jobs/${job?.id}`, { json: { assignee: id } });
    expect((await annotator.call('GET', `/api/assets/${uuid}`)).status).toBe(200);
    expect((await annotator.call('GET', `/api/guides/${guideId}`)).status).toBe(200);
    expect((await annotator.call('PATCH', `/api/guides/${guideId}`, { json: { markdown: 'x' } })).status).toBe(403);

    await work.owner.good('DELETE', `/api/assets/${uuid}`);
    expect((await work.owner.call('GET', `/api/assets/${uuid}`)).status).toBe(404);
  });

  test('must be images that belong to a guide', async () => {
    const bytes = await picture('x');
    expect((await sendPicture(work.owner, guideId, Buffer.from('<svg onload="alert(1)"/>'), 'x.svg')).status).toBe(400);
    expect((await sendPicture(work.owner, guideId, Buffer.alloc(12 * 1024 * 1024))).status).toBe(413);
    expect((await sendPicture(work.owner, 999_999, bytes)).status).toBe(404);
    expect((await sendPicture(work.owner, 'one', bytes)).status).toBe(400);
    expect((await work.owner.call('POST', '/api/assets', { json: { guide_id: guideId } })).status).toBe(415);
    const form = new FormData();
    form.set('guide_id', String(guideId));
    expect((await work.owner.call('POST', '/api/assets', { body: form })).status).toBe(400);
    for (const uuid of ['..', 'not-a-uuid', '00000000-0000-0000-0000-000000000000']) {
      expect((await work.owner.call('GET', `/api/assets/${uuid}`)).status).toBe(404);
    }
  });
});
