import { expect, test } from 'vitest';
import type { Task } from '../../../../../preload/contract/schema/resources.ts';
import { numbersOf } from '../../../../../renderer/features/projects/project-numbers.ts';

const task = (subset: string, size: number | undefined, jobs: readonly [number, number, number]) =>
  ({
    subset,
    ...(size === undefined ? {} : { size }),
    jobs: { count: jobs[0], completed: jobs[1], validation: jobs[2], url: '' },
  }) as Task;

test('the numbers of a project are those of its tasks, one without images included', () => {
  const tasks = [
    task('Test', 10, [2, 1, 0]),
    task('Train', 300, [4, 1, 2]),
    task('Train', 20, [1, 1, 0]),
    task('', undefined, [0, 0, 0]),
  ];
  expect(numbersOf(tasks)).toEqual({
    frames: 330,
    jobs: 7,
    done: 3,
    inValidation: 2,
    subsets: [
      ['Train', 320],
      ['Test', 10],
      ['', 0],
    ],
  });
});
