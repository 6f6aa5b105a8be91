import { describe, expect, it } from 'vitest';
import { errorFromAnswer } from '../../../../renderer/api/api-error.ts';

describe('answers of the service as errors', () => {
  it.each([
    [400, { name: ['This field may not be blank.'] }, 'refused', 'name: This field may not be blank.'],
    [400, { labels: [{ name: ['Too long.'] }] }, 'refused', 'labels.name: Too long.'],
    [400, ['Unknown format specified for the request'], 'refused', 'Unknown format specified for the request'],
    [400, { non_field_errors: ['Unable to log in.'] }, 'refused', 'Unable to log in.'],
    [
      401,
      { detail: 'Authentication credentials were not provided.' },
      'signed-out',
      'Authentication credentials were not provided.',
    ],
    [404, 'There is no request with specified id', 'not-found', 'There is no request with specified id'],
    [409, undefined, 'conflict', 'The service answered with status 409.'],
    [507, { detail: 'The disk is full.' }, 'disk-full', 'The disk is full.'],
    [503, '', 'server', 'The service answered with status 503.'],
  ] as const)('%i %j', (status, body, kind, message) => {
    expect(errorFromAnswer(status, body)).toMatchObject({ status, kind, message });
  });
});
