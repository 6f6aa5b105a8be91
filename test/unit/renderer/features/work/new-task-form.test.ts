import { describe, expect, test } from 'vitest';
import {
  emptyForm,
  forecastOf,
  tasksOfForm,
  type NewTaskForm,
} from '../../../../../renderer/features/work/tasks/new-task-form.ts';

const now = new Date('2026-11-23T10:00:00Z');
const fileOf = (path: string) => ({ path, file: new File(['1234'], path.slice(path.lastIndexOf('/') + 1)) });
const filled = (...paths: readonly string[]): NewTaskForm => ({ ...emptyForm(null), files: paths.map(fileOf) });

describe('a new task', () => {
  test("sends the form's values to the service, and nothing that was left empty", () => {
    const [task, ...others] = tasksOfForm(filled('trip/a.jpg', 'trip/b.jpg'), now);
    expect(others).toEqual([]);
    expect(task?.task).toEqual({ name: 'trip', segment_size: 0, subset: '', bug_tracker: '', labels: [] });
    expect(task?.data).toEqual({ image_quality: 70, sorting_method: 'natural' });
    const form = {
      ...filled('a.jpg'),
      startFrame: 2,
      stopFrame: 8,
      step: 3,
      chunkSize: 10,
      assigneeId: 7,
      projectId: 5,
    };
    const [full] = tasksOfForm({ ...form, bugTracker: ' https://example.org ' }, now);
    expect(full?.task).toMatchObject({ project_id: 5, assignee_id: 7, bug_tracker: 'https://example.org' });
    expect(full?.data).toMatchObject({ start_frame: 2, stop_frame: 8, frame_filter: 'step=3', chunk_size: 10 });
  });

  test('is one of several if each video and each folder becomes a separate one', () => {
    const form = filled('trip/one.mp4', 'trip/two.mp4', 'trip/day/a.jpg', 'trip/day/b.jpg', 'trip/night/a.jpg');
    const names = (of: NewTaskForm) => tasksOfForm(of, now).map(({ task }) => task.name);
    expect(names({ ...form, isSeparate: true })).toEqual(['one', 'two', 'day', 'night']);
    expect(names({ ...form, isSeparate: true, name: 'Süd' })).toEqual([
      'Süd · one',
      'Süd · two',
      'Süd · day',
      'Süd · night',
    ]);
    const [single] = tasksOfForm(form, now);
    expect(single?.media).toMatchObject({ files: [{ path: 'trip/day/a.jpg' }, {}, { path: 'trip/night/a.jpg' }] });
    const paths = { ...emptyForm(null), source: 'paths' as const, paths: ['/data/one', '/data/two.mp4'] };
    expect(names(paths)).toHaveLength(1);
    expect(names({ ...paths, isSeparate: true })).toEqual(['one', 'two']);
  });

  test.each([
    ['all in one job', {}, { tasks: 1, frames: 10, jobs: 1, bytes: 40 }],
    ['jobs that overlap', { segmentSize: 4, overlap: 1 }, { tasks: 1, frames: 10, jobs: 3, bytes: 40 }],
    ['a part, every third', { startFrame: 1, stopFrame: 8, step: 3 }, { tasks: 1, frames: 3, jobs: 1, bytes: 40 }],
    ['an end behind the last', { stopFrame: 99 }, { tasks: 1, frames: 10, jobs: 1, bytes: 40 }],
  ])('is counted before it is created: %s', (_what, change, forecast) => {
    const names = Array.from({ length: 10 }, (_, index) => `${index}.jpg`);
    expect(forecastOf({ ...filled(...names), ...change })).toEqual(forecast);
  });

  test('states no number that is unknown before reading', () => {
    expect(forecastOf(filled('a.jpg', 'more.zip'))).toEqual({ tasks: 1, frames: null, jobs: null, bytes: 8 });
    expect(forecastOf(emptyForm(null))).toEqual({ tasks: 0, frames: 0, jobs: 0, bytes: 0 });
  });
});
