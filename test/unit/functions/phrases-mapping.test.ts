import { expect, test } from 'vitest';
import { labelMapping, labelsForCall } from '../../../main/functions/calls/label-mapping.ts';
import { makeLabel } from '../../support/labels.ts';

const labels = [makeLabel(1, 'person'), makeLabel(2, 'helmet'), makeLabel(3, 'outline', { type: 'mask' })];
const model = { labels: [], takesPhrases: true, fillsAttributes: false };
const names = (mapping: unknown) => labelsForCall(model, mapping, labels).map(({ name }) => name);

test('a model that takes phrases looks for those of the mapping, which several phrases may share', () => {
  const mapping = {
    'person without helmet': { name: 'person' },
    'hard hat': { name: 'helmet' },
    cap: { name: 'helmet' },
  };
  expect(names(mapping)).toEqual(['person without helmet', 'hard hat', 'cap']);
  const found = labelMapping(mapping, labelsForCall(model, mapping, labels), labels);
  expect([...found].map(([phrase, { label }]) => [phrase, label.id])).toEqual([
    ['person without helmet', 1],
    ['hard hat', 2],
    ['cap', 2],
  ]);
});

test('without a mapping it looks for the names of the labels that take boxes', () => {
  expect(names(null)).toEqual(['person', 'helmet']);
  expect(() => labelsForCall(model, {}, [])).toThrow(/There is no phrase to look for/);
});
