import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { dataRequestSchema, taskWriteSchema } from '../../../preload/contract/schema/resources.ts';
import type { ListRequest } from '../../../main/users/access/actor.ts';
import { useCoreHarness } from './core-harness.ts';

const all = (equals: ListRequest['equals'] = {}): ListRequest => ({ page: 1, pageSize: 'all', equals });

const harness = useCoreHarness();
const { core, admin, folder } = harness;
const images = join(folder, 'images');
mkdirSync(images);
const picture = sharp({ create: { width: 20, height: 10, channels: 3, background: '#345678' } });
await picture.png().toFile(join(images, 'photo.png'));
const body = taskWriteSchema.parse({ name: 'reviewed', labels: [{ name: 'car' }] });
const taskId = core.tasks.create(admin, body).id;
const { rq_id } = core.taskData.start(admin, taskId, dataRequestSchema.parse({ server_files: [images] }), []);
await harness.ended(rq_id);
const jobId = core.jobs.list(admin, all({ task_id: String(taskId) })).results[0]!.id;

const open = (message = 'The box is too wide') =>
  harness.core.issues.createIssue(harness.admin, {
    frame: 0,
    position: [1.5, 2.25],
    job: jobId,
    message,
    resolved: false,
  });

describe('an issue', () => {
  test('is opened with its first comment, at an exact position', () => {
    const issue = open();
    expect(issue).toMatchObject({
      frame: 0,
      position: [1.5, 2.25],
      job: jobId,
      resolved: false,
      comments: { count: 1 },
    });
    const comments = harness.core.issues.listComments(harness.admin, all({ issue_id: String(issue.id) })).results;
    expect(comments).toMatchObject([{ message: 'The box is too wide', owner: { username: 'admin' } }]);
  });

  test('can be resolved, found by that, and deleted with its comments', () => {
    const { core, admin } = harness;
    const issue = open();
    core.issues.updateIssue(admin, issue.id, { resolved: true });
    const resolved = core.issues.listIssues(admin, all({ resolved: 'true', job_id: String(jobId) })).results;
    expect(resolved.map(({ id }) => id)).toEqual([issue.id]);
    core.issues.removeIssue(admin, issue.id);
    expect(() => core.issues.getIssue(admin, issue.id)).toThrow('Not found.');
    expect(core.issues.listComments(admin, all({ issue_id: String(issue.id) })).results).toEqual([]);
  });

  test('on a frame outside of the job is refused', () => {
    const wrong = () =>
      harness.core.issues.createIssue(harness.admin, {
        frame: 9,
        position: [],
        job: jobId,
        message: 'x',
        resolved: false,
      });
    expect(wrong).toThrow("Frame 9 is outside the job's range 0–0.");
  });

  test("is invisible to users without access to the task; the job's assignee may comment", () => {
    const { core, admin, annotator } = harness;
    const issue = open();
    expect(() => core.issues.getIssue(annotator, issue.id)).toThrow('You do not have permission');
    expect(core.issues.listIssues(annotator, all()).count).toBe(0);
    core.jobs.update(admin, jobId, { assignee: annotator.userId });
    expect(core.issues.listIssues(annotator, all()).results.map(({ id }) => id)).toContain(issue.id);
    const comment = core.issues.createComment(annotator, { issue: issue.id, message: 'Mended' });
    expect(core.issues.updateComment(annotator, comment.id, { message: 'Mended now' }).message).toBe('Mended now');
    expect(() => core.issues.removeIssue(annotator, issue.id)).toThrow('You do not have permission');
    core.jobs.update(admin, jobId, { assignee: null });
  });
});

test('a task has one guide, which is deleted with it', () => {
  const { core, admin } = harness;
  const guide = core.guides.create(admin, { task_id: taskId, markdown: '# Cars' });
  expect(core.guides.get(admin, guide.id)).toMatchObject({ task_id: taskId, project_id: null, markdown: '# Cars' });
  expect(() => core.guides.create(admin, { task_id: taskId, markdown: '' })).toThrow('A guide already exists.');
  expect(() => core.guides.create(admin, { markdown: '' })).toThrow('belongs to a project or a task');
  expect(core.guides.update(admin, guide.id, { markdown: '# Vans' }).markdown).toBe('# Vans');
});
