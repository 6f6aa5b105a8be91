import BetterSqlite3 from 'better-sqlite3';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import {
  operationList,
  operations,
  rawOperationList,
  type OperationId,
} from '../../../preload/contract/operations/index.ts';
import type { AnyOperation } from '../../../preload/contract/operation.ts';
import type { CallOptions } from '../../support/client.ts';
import { raw, useWorkbench } from './support.ts';

const workbench = await useWorkbench();
const project = await workbench.owner.createProject('roads', [{ name: 'car', attributes: [] }]);

const get = (path: string, options: CallOptions = {}) => workbench.owner.call('GET', path, options);
const post = (path: string, json: unknown) => workbench.owner.call('POST', path, { json });
const headersOf = (extra: Record<string, string> = {}) => ({
  Host: `127.0.0.1:${workbench.port}`,
  Authorization: workbench.authorization,
  ...extra,
});

describe('answers', () => {
  test('have the media type, a request id, the security headers, and never a CORS header', async () => {
    const answer = await get('/api/projects');
    expect(answer.headers.get('Content-Type')).toBe('application/vnd.cvat+json');
    expect(answer.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(answer.headers.get('X-Frame-Options')).toBe('DENY');
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBeNull();
    const policy = answer.headers.get('Content-Security-Policy');
    for (const rule of ["script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "worker-src 'self' blob:"]) {
      expect(policy).toContain(rule);
    }
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline/);
  });

  test('have exactly the keys of the contract', async () => {
    const { id } = await workbench.owner.createTask({ name: 'contract', project_id: project.id });
    const readable: [OperationId, string][] = [
      ['about', '/api/server/about'],
      ['health', '/api/server/health/'],
      ['formats', '/api/server/annotation/formats'],
      ['plugins', '/api/server/plugins'],
      ['share', '/api/server/share'],
      ['listUsers', '/api/users'],
      ['self', '/api/users/self'],
      ['listAccessTokens', '/api/auth/access_tokens'],
      ['listProjects', '/api/projects'],
      ['getProject', `/api/projects/${project.id}`],
      ['listTasks', '/api/tasks'],
      ['getTask', `/api/tasks/${id}`],
      ['listJobs', '/api/jobs'],
      ['listLabels', `/api/labels?project_id=${project.id}`],
      ['listRequests', '/api/requests'],
    ];
    for (const [operation, path] of readable) {
      const { status, body } = await get(path);
      expect(status, operation).toBe(operations[operation].status);
      const schema = (operations[operation] as AnyOperation).output as z.ZodType;
      expect(schema.parse(body), operation).toEqual(body);
    }
  });

  test('every equality filter of the contract can be used on its list', async () => {
    for (const [id, { method, path, query }] of operationList) {
      const shape = (query as z.ZodObject | undefined)?.shape;
      if (method !== 'GET' || !shape || !('page_size' in shape) || path.includes('{')) continue;
      const base = id === 'listLabels' ? { project_id: project.id } : {};
      const common = ['page', 'page_size', 'search', 'sort', 'filter', 'org', 'org_id'];
      for (const name of Object.keys(shape).filter((key) => !common.includes(key))) {
        if (id === 'listLabels' && /^(job|task)(_id)?$/.test(name)) continue;
        // These parameters name a report, job, task or parent that does not exist.
        if (/^listQuality(Conflicts|Reports)$/.test(id) && /^(report|job|task|parent)(_id)?$/.test(name)) continue;
        const { status, body } = await get(path, {
          query: { ...base, [name]: /^project(_id)?$/.test(name) ? project.id : '1' },
        });
        expect(status, `${id}?${name}=1 answered ${JSON.stringify(body)}`).toBe(200);
      }
    }
  });
});

describe('versions and media types', () => {
  test('accepts the supported ones', async () => {
    const accepted = [
      'application/vnd.cvat+json; version=2.0',
      'application/vnd.cvat+json',
      'application/json',
      '*/*',
      'text/html,application/xhtml+xml,*/*;q=0.8',
      'application/json, text/plain, */*',
    ];
    for (const accept of accepted) {
      const answer = await raw(workbench.port, 'GET', '/api/projects', headersOf({ Accept: accept }));
      expect(answer.status, accept).toBe(200);
      const type = accept === 'application/json' ? accept : 'application/vnd.cvat+json';
      expect(answer.headers['content-type'], accept).toBe(type);
    }
  });
  test('answers 406 to others', async () => {
    const unknown = await raw(
      workbench.port,
      'GET',
      '/api/projects',
      headersOf({ Accept: 'application/vnd.cvat+json; version=9.0' }),
    );
    expect(unknown.status).toBe(406);
    expect(JSON.parse(unknown.body)).toEqual({ detail: 'Invalid version in "Accept" header.' });
    expect((await raw(workbench.port, 'GET', '/api/projects', headersOf({ Accept: 'image/png' }))).status).toBe(406);
  });
  test('answers 415 to a body that is not JSON, without reading it', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/json',
    ]) {
      const answer = await raw(
        workbench.port,
        'POST',
        '/api/projects',
        headersOf({ 'Content-Type': type }),
        '{"name":"x"}',
      );
      expect(answer.status, type).toBe(415);
      expect(JSON.parse(answer.body)).toEqual({ detail: `Unsupported media type "${type}" in request.` });
    }
    const vendor = headersOf({ 'Content-Type': 'application/vnd.cvat+json' });
    expect((await raw(workbench.port, 'POST', '/api/projects', vendor, '{"name":"x"}')).status).toBe(201);
  });
});

describe('errors', () => {
  test('name the fields, nested like the input', async () => {
    expect((await post('/api/projects', {})).body).toEqual({ name: ['This field is required.'] });
    expect((await post('/api/projects', { name: null })).body).toEqual({ name: ['This field may not be null.'] });
    expect((await post('/api/projects', { name: ' ' })).body).toEqual({ name: ['This field may not be blank.'] });
    expect((await post('/api/projects', { name: 7 })).body).toEqual({ name: ['Not a valid string.'] });
    expect((await post('/api/projects', { name: 'x'.repeat(257) })).body).toEqual({
      name: ['Ensure this field has no more than 256 characters.'],
    });
    expect((await post('/api/projects', [])).body).toEqual({
      non_field_errors: ['Invalid data. Expected a dictionary, but got list.'],
    });
    const labels = [
      { name: 'good' },
      { name: 'bad', type: 'blob', attributes: [{ name: 'a', input_type: 'text' }, {}] },
    ];
    expect((await post('/api/projects', { name: 'p', labels })).body).toEqual({
      labels: [
        {},
        {
          type: ['"blob" is not a valid choice.'],
          attributes: [{}, { name: ['This field is required.'], input_type: ['This field is required.'] }],
        },
      ],
    });
  });

  test('are returned for invalid JSON', async () => {
    const headers = headersOf({ 'Content-Type': 'application/json' });
    const answer = await raw(workbench.port, 'POST', '/api/projects', headers, '{"name": ');
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toEqual({ detail: expect.stringMatching(/^JSON parse error - /) });
  });

  test('are returned for unknown objects, addresses and methods', async () => {
    expect(await get('/api/projects/999999')).toMatchObject({ status: 404, body: { detail: 'Not found.' } });
    for (const path of [
      '/api/projects/abc',
      '/api/projects/-1',
      '/api/projects/1.5',
      '/api/nothing',
      '/api/',
      '/api/projects/',
    ]) {
      expect((await get(path)).status, path).toBe(404);
    }
    const wrong = await workbench.owner.call('PUT', `/api/projects/${project.id}`, { json: {} });
    expect(wrong.status).toBe(405);
    expect(wrong.body).toEqual({ detail: 'Method "PUT" not allowed.' });
    expect(wrong.headers.get('Allow')).toBe('GET, PATCH, DELETE');
  });

  test('a request id is found in any encoding of its address; an unknown one is plain text', async () => {
    const encoded = encodeURIComponent('action=create&target=task&target_id=77');
    expect(encoded).toContain('%3D');
    for (const path of [`/api/requests/${encoded}`, '/api/requests/action=create&target=task&target_id=77']) {
      const answer = await get(path);
      expect(answer.status).toBe(404);
      expect(answer.body).toBe('There is no request with specified id');
      expect(answer.headers.get('Content-Type')).toMatch(/^text\/plain/);
    }
  });

  test('removed forms of requests are 410', async () => {
    const { id } = await workbench.owner.createTask({ name: 'old client' });
    expect((await get(`/api/tasks/${id}/annotations/?format=COCO+1.0`)).status).toBe(410);
    expect((await get(`/api/tasks/${id}/dataset?format=COCO+1.0&action=download`)).status).toBe(410);
  });

  test('trailing slashes are optional where clients differ, and nowhere else', async () => {
    const { id } = await workbench.owner.createTask({ name: 'slashes' });
    for (const path of [`/api/tasks/${id}/annotations`, `/api/tasks/${id}/annotations/`]) {
      expect((await get(path)).status, path).toBe(400);
    }
    expect((await get(`/api/tasks/${id}/`)).status).toBe(404);
    expect((await get('/api/server/health')).status).toBe(200);
  });
});

describe('lists', () => {
  beforeAll(async () => {
    for (let index = 1; index <= 25; index += 1)
      await workbench.owner.createTask({ name: `page ${String(index).padStart(2, '0')}` });
  });
  interface Page {
    readonly count: number;
    readonly next: string | null;
    readonly previous: string | null;
    readonly results: readonly { readonly name: string }[];
  }
  const page = (query: Record<string, string | number>) =>
    workbench.owner.good<Page>('GET', '/api/tasks', { query: { search: 'page', sort: 'name', ...query } });

  test('have pages that link to each other with the complete query', async () => {
    const first = await page({});
    expect(first).toMatchObject({ count: 25, previous: null });
    expect(first.results).toHaveLength(10);
    expect(first.next).toBe(`${workbench.url}/api/tasks?search=page&sort=name&page=2`);
    const names: string[] = [];
    for (let next: string | null = first.next, current = first; ; next = current.next) {
      names.push(...current.results.map((task) => task.name));
      if (next === null) break;
      current = await workbench.owner.good<Page>('GET', next);
      expect(current.previous).not.toBeNull();
    }
    expect(names).toEqual(Array.from({ length: 25 }, (_, index) => `page ${String(index + 1).padStart(2, '0')}`));
    expect((await page({ page: 2 })).previous).toBe(`${workbench.url}/api/tasks?search=page&sort=name`);
  });

  test('accept any page size, or all at once', async () => {
    expect((await page({ page_size: 7 })).results).toHaveLength(7);
    expect((await page({ page_size: 'all' })).results).toHaveLength(25);
    expect((await page({ page_size: 'nonsense' })).results).toHaveLength(10);
    expect((await page({ page_size: 25 })).next).toBeNull();
  });

  test('answer 404 to a missing page', async () => {
    for (const wrong of ['0', '-1', '4', 'abc', '1.5', '99999999999999999999']) {
      const answer = await get('/api/tasks', { query: { search: 'page', page: wrong } });
      expect(answer.status, wrong).toBe(404);
      expect(answer.body).toEqual({ detail: 'Invalid page.' });
    }
    expect((await get('/api/tasks', { query: { search: 'there is none' } })).body).toMatchObject({
      count: 0,
      results: [],
    });
  });

  test('explain invalid filters', async () => {
    expect((await get('/api/tasks', { query: { filter: '{' } })).body).toEqual(['filter: this is not valid JSON']);
    const filter = '{"==":[{"var":"password_hash"},"x"]}';
    expect((await get('/api/tasks', { query: { filter } })).body).toEqual([
      expect.stringMatching(/^filter: .*password_hash/),
    ]);
    expect((await get('/api/tasks', { query: { project_id: 'x' } })).body).toEqual({ project_id: ['Enter a number.'] });
    expect((await get('/api/tasks', { query: { sort: 'nothing' } })).status).toBe(400);
  });

  test('accept JSON Logic over the API', async () => {
    const filter = JSON.stringify({
      and: [{ in: ['page 1', { var: 'name' }] }, { '==': [{ var: 'owner' }, 'admin'] }],
    });
    expect((await page({ filter, page_size: 'all' })).results).toHaveLength(10);
  });
});

describe('organization context', () => {
  beforeAll(async () => {
    await workbench.addUser('member');
    const database = new BetterSqlite3(join(workbench.dataDir, 'db', 'limner.sqlite'));
    const now = new Date().toISOString();
    database
      .prepare("INSERT INTO organization (slug, name, created_date, updated_date) VALUES ('lab', 'Lab', ?, ?)")
      .run(now, now);
    database.close();
  });
  const status = async (query: Record<string, string>, headers: Record<string, string> = {}) =>
    (await get('/api/projects', { query, headers })).status;

  test('is named by slug, id or header, and only once', async () => {
    expect(await status({ org: 'lab' })).toBe(200);
    expect(await status({}, { 'X-Organization': 'lab' })).toBe(200);
    expect(await status({ org: 'lab' }, { 'X-Organization': 'lab' })).toBe(200);
    expect(await status({ org_id: '1' })).toBe(200);
    expect(await status({ org: 'lab', org_id: '1' })).toBe(400);
    expect(await status({ org_id: '1' }, { 'X-Organization': 'lab' })).toBe(400);
    expect(await status({ org: 'lab' }, { 'X-Organization': 'other' })).toBe(400);
  });

  test('answers 404 to an unknown one, 403 to one of other users', async () => {
    expect(await get('/api/projects', { query: { org: 'nobody' } })).toMatchObject({
      status: 404,
      body: { detail: 'nobody organization does not exist.' },
    });
    expect(await status({ org_id: 'abc' })).toBe(404);
    const login = { username: 'member', password: 'a password for tests' };
    const { key } = await workbench.anonymous.good<{ key: string }>('POST', '/api/auth/login', { json: login });
    const headers = { Authorization: `Token ${key}` };
    expect((await workbench.anonymous.call('GET', '/api/projects', { query: { org: 'lab' }, headers })).status).toBe(
      403,
    );
  });

  test('means objects without an organization if it is empty', async () => {
    const inside = await workbench.owner.call('POST', '/api/projects', {
      query: { org: 'lab' },
      json: { name: 'of the lab' },
    });
    expect(inside.body).toMatchObject({ organization_id: 1 });
    const names = async (query: Record<string, string>) =>
      (await workbench.owner.good<{ results: { name: string }[] }>('GET', '/api/projects', { query })).results.map(
        (one) => one.name,
      );
    expect(await names({ org: 'lab' })).toEqual(['of the lab']);
    expect(await names({ org: '' })).not.toContain('of the lab');
    expect(await names({})).toEqual(expect.arrayContaining(['of the lab', 'roads']));
  });
});

describe('the API description', () => {
  interface Document {
    readonly openapi: string;
    readonly paths: Record<string, Record<string, { operationId: string; responses: object }>>;
  }
  test('lists every operation and every other route', async () => {
    const answer = await workbench.anonymous.call('GET', '/api/schema/', { query: { scheme: 'json' } });
    const document = answer.body as Document;
    expect(document.openapi).toMatch(/^3\.1/);
    for (const [id, { method, path }] of operationList) {
      expect(document.paths[path]?.[method.toLowerCase()]?.operationId, id).toBe(id);
    }
    for (const [id, { method, documentedAs = method, path, hidden = false }] of rawOperationList) {
      expect(document.paths[path]?.[documentedAs.toLowerCase()] === undefined, `${id} ${documentedAs}`).toBe(hidden);
    }
    const ids = Object.values(document.paths).flatMap((path) => Object.values(path).map((one) => one.operationId));
    expect(new Set(ids).size).toBe(ids.length);
    expect(document.paths).not.toHaveProperty('/launch');
  });

  test('is a page of all operations that loads nothing from outside and has no script', async () => {
    const page = await workbench.anonymous.call('GET', '/api/docs/');
    expect(page.headers.get('Content-Type')).toMatch(/^text\/html/);
    const text = String(page.body);
    for (const [id, { method, path }] of operationList) {
      expect(text, id).toContain(`<tr id="${id}"><td>${method}</td><td>${path}</td>`);
    }
    expect(text).not.toMatch(/<script>|<script [^>]*>[^<]|https?:\/\//);
    const files = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '');
    expect(files).toContain('/api/schema/?scheme=json');
    for (const file of files.filter((name) => !name.startsWith('#')))
      expect((await workbench.anonymous.call('GET', file)).status, file).toBe(200);
    expect((await workbench.anonymous.call('GET', '/api/swagger/')).body).toBe(text);
  });
});
