import { expect, it } from 'vitest';
import type { Tag, TaskData } from '../../../../main/formats/kit/task-data.ts';
import { withTidyNames } from '../../../../main/formats/kit/tidy-names.ts';

it('removes blanks around the names of labels and attributes, and keeps those of values', () => {
  const tags: Tag[] = [];
  const task = withTidyNames({ add_tag: (tag: Tag) => void tags.push(tag) } as unknown as TaskData);
  const attributes = [{ name: ' color ', value: ' dark red ' }];
  task.add_tag({ frame: 0, label: ' car', source: 'file', group: 0, attributes });
  expect(tags).toMatchObject([{ label: 'car', attributes: [{ name: 'color', value: ' dark red ' }] }]);
});
