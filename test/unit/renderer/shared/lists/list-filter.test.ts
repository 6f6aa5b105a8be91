import { describe, expect, it } from 'vitest';
import {
  taskFields,
  askedFilter,
  conditionsOf,
  filterOf,
  filterText,
} from '../../../../../renderer/shared/lists/filter/list-filter.ts';

const now = new Date(2026, 10, 25, 16, 30);
const requested = (rule: object) => JSON.parse(askedFilter(JSON.stringify(rule), taskFields, now) ?? 'null') as unknown;
const updated = { var: 'updated_date' };

describe('the filter of a list', () => {
  it('converts calendar days to moments', () => {
    const at = (day: number) => new Date(2026, 10, day).toISOString();
    expect(requested({ '>=': [updated, '-P7D'] })).toEqual({ and: [{ '>=': [updated, at(18)] }] });
    expect(requested({ '>=': [updated, '2026-11-20'] })).toEqual({ and: [{ '>=': [updated, at(20)] }] });
    expect(requested({ '<=': ['2026-11-20', updated, '2026-11-21'] })).toEqual({
      and: [{ '<=': [at(20), updated, at(22)] }],
    });
    const moment = '2026-11-20T09:30:00Z';
    expect(requested({ '<': [updated, moment] })).toEqual({ and: [{ '<': [updated, moment] }] });
  });

  it('preserves the form, days ago included', () => {
    const written = JSON.stringify({ and: [{ '>=': [updated, '-P7D'] }, { in: ['cam', { var: 'name' }] }] });
    const group = conditionsOf(written, taskFields);
    expect(group?.of).toMatchObject([
      { field: 'updated_date', relation: 'within', values: [7] },
      { field: 'name', relation: 'contains', values: ['cam'] },
    ]);
    expect(group && filterText(group)).toBe(written);
  });

  it('passes conditions outside of the form to the service', () => {
    for (const filter of [
      '{"==":[{"var":"dimension"},"2d"]}',
      '{"==":[{"var":"updated_date"},"2026-11-20"]}',
      'no JSON',
    ]) {
      expect(conditionsOf(filter, taskFields)).toBeNull();
      expect(askedFilter(filter, taskFields, now)).toBe(filter);
    }
  });

  it('is built from plain equalities, and empty without any', () => {
    expect(filterOf({ state: 'new', stage: undefined, task_id: '' })).toBe('{"and":[{"==":[{"var":"state"},"new"]}]}');
    expect(filterOf({ state: undefined })).toBeUndefined();
  });
});
