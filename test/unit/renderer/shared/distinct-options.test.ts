import { expect, test } from 'vitest';
import { distinctOptions, searchedName } from '../../../../renderer/shared/lists/resource-select.tsx';

test('options with the same name show their ids, others do not', () => {
  const entries = new Map([
    ['3', 'Twin'],
    ['4', 'Alone'],
    ['7', 'Twin'],
  ]);
  const options = distinctOptions(entries);
  expect(options).toEqual([
    { value: '3', label: 'Twin (#3)' },
    { value: '4', label: 'Alone' },
    { value: '7', label: 'Twin (#7)' },
  ]);
  expect(options.map(({ label }) => searchedName(label))).toEqual([...entries.values()]);
});
