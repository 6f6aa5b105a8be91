import { afterAll, describe, expect, it } from 'vitest';
import { createClient } from '../../support/client.ts';
import { makeImages } from '../../support/images.ts';
import { startWorkbench } from '../http/support.ts';

const { owner: client, stop } = await startWorkbench();
afterAll(stop);
const { id: taskId } = await client.taskWithImages({ labels: [{ name: 'thing' }] }, await makeImages(2));
const labelId = (await client.labels(taskId))[0]?.id ?? 0;

describe('invalid requests', () => {
  it('answer 401 without credentials, and read or change nothing', async () => {
    const nobody = createClient(client.baseUrl, null);
    const paths = ['/api/tasks', `/api/tasks/${taskId}`, `/api/tasks/${taskId}/annotations/`, '/api/users/self'];
    for (const path of paths) {
      const answer = await nobody.call('GET', path);
      expect(answer.status, path).toBe(401);
      expect(answer.body).toEqual({ detail: 'Authentication credentials were not provided.' });
      expect(answer.headers.get('WWW-Authenticate')).toBe('Token');
    }
    expect((await nobody.call('POST', '/api/tasks', { json: { name: 'mine' } })).status).toBe(401);
    expect((await nobody.call('DELETE', `/api/tasks/${taskId}`)).status).toBe(401);
    expect((await client.task(taskId)).id).toBe(taskId);
  });

  it.each([
    ['a wrong token', 'Token 0123456789012345678901234567890123456789'],
    ['a wrong password', `Basic ${Buffer.from('admin:wrong').toString('base64')}`],
    ['a wrong access token', 'Bearer abcdefgh.0123456789'],
    ['a header that is none', 'Basic ???'],
  ])('answer 401 to %s', async (_what, authorization) => {
    expect((await createClient(client.baseUrl, authorization).call('GET', '/api/tasks')).status).toBe(401);
  });

  const shape = (fields: object) => ({
    type: 'rectangle',
    frame: 0,
    label_id: labelId,
    points: [1, 2, 3, 4],
    ...fields,
  });
  it.each([
    ['too few points', () => ({ shapes: [shape({ points: [1, 2] })] })],
    ['an unknown label', () => ({ shapes: [shape({ label_id: 987_654 })] })],
    ['a frame behind the last', () => ({ shapes: [shape({ frame: 2 })] })],
    ['an unknown type', () => ({ shapes: [shape({ type: 'spline' })] })],
    ['a text for a number', () => ({ shapes: [shape({ points: ['a', 'b', 'c', 'd'] })] })],
    ['an id in a new shape', () => ({ shapes: [shape({ id: 5 })] })],
    ['a list instead of an object', () => []],
  ])('refuse a save with one invalid object (%s) with 400 and change nothing', async (_what, body) => {
    const good = { type: 'rectangle' as const, frame: 1, label_id: labelId, points: [5, 6, 7, 8] };
    const bad = body();
    const json = Array.isArray(bad) ? bad : { shapes: [good, ...bad.shapes] };
    const before = await client.annotations('tasks', taskId);
    const answer = await client.call('PATCH', `/api/tasks/${taskId}/annotations/`, {
      query: { action: 'create' },
      json,
    });
    expect(answer.status).toBe(400);
    expect(answer.body).toBeTruthy();
    expect(await client.annotations('tasks', taskId)).toEqual(before);
  });

  it('refuse changes of missing objects completely', async () => {
    const created = await client.changeAnnotations('tasks', taskId, 'create', {
      shapes: [{ type: 'rectangle', frame: 0, label_id: labelId, points: [1, 2, 3, 4] }],
    });
    const [real] = created.shapes;
    if (!real) throw new Error('Nothing was created.');
    const moved = { ...real, points: [9, 9, 99, 99] };
    for (const action of ['update', 'delete'] as const) {
      const answer = await client.call('PATCH', `/api/tasks/${taskId}/annotations/`, {
        query: { action },
        json: { shapes: [moved, { ...moved, id: 987_654 }] },
      });
      expect(answer.status).toBe(400);
    }
    const kept = (await client.annotations('tasks', taskId)).shapes.find((one) => one.id === real.id);
    expect(kept?.points).toEqual([1, 2, 3, 4]);
  });

  it.each([
    ['a body that is no JSON', 'PATCH', 'annotations/?action=create', '{"shapes": [', 400],
    ['an unknown action', 'PATCH', 'annotations/?action=paint', '{}', 400],
    ['an unknown method', 'POST', 'data/meta', '{}', 405],
  ])('%s', async (_what, method, path, body, status) => {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await client.call(method, `/api/tasks/${taskId}/${path}`, { headers, body });
    expect(answer.status).toBe(status);
    expect(answer.body).toBeTruthy();
  });

  it('answer 404 with a body to missing objects', async () => {
    const paths = [
      '/api/tasks/987654',
      '/api/jobs/987654',
      '/api/projects/987654',
      '/api/requests/none',
      '/api/nothing',
    ];
    for (const path of paths) {
      const answer = await client.call('GET', path);
      expect(answer.status, path).toBe(404);
      expect(answer.body, path).toBeTruthy();
    }
    expect((await client.call('GET', `/api/tasks/${taskId}/data/?type=frame&number=99&quality=original`)).status).toBe(
      404,
    );
  });

  it('answer 400 with a sentence to annotations for a task without images', async () => {
    const { id } = await client.createTask({ labels: [{ name: 'thing' }] });
    const answer = await client.call('GET', `/api/tasks/${id}/annotations/`);
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toContain('no data');
  });

  it('answer 403 to another Host or Origin before anything is read', async () => {
    const headers = { Origin: 'http://evil.example' };
    const answer = await client.call('POST', '/api/tasks', { headers, json: { name: 'theirs' } });
    expect(answer.status).toBe(403);
    const { results } = await client.good<{ results: { name: string }[] }>('GET', '/api/tasks');
    expect(results.map((task) => task.name)).not.toContain('theirs');
  });
});
