import { describe, expect, test } from 'vitest';
import { errorFromAnswer } from '../../../../renderer/api/api-error.ts';
import { fieldErrors } from '../../../../renderer/api/field-errors.ts';

describe('errors of a form', () => {
  test('are shown at their fields, and others separately', () => {
    const error = errorFromAnswer(400, { name: ['Too long.', 'Taken.'], quota: ['Full.'], detail: 'Try later.' });
    expect(fieldErrors(error, ['name', 'slug'])).toEqual({
      of: { name: 'Too long. Taken.' },
      rest: 'quota: Full. Try later.',
    });
  });

  test('without fields are shown as a whole', () => {
    expect(fieldErrors(errorFromAnswer(400, ['Invalid events list.']), ['events'])).toEqual({
      of: {},
      rest: 'Invalid events list.',
    });
    expect(fieldErrors(new Error('No answer.'), ['events']).rest).toBe('No answer.');
    expect(fieldErrors(null, ['events'])).toEqual({ of: {}, rest: '' });
  });
});
