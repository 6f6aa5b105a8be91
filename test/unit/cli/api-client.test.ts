import { describe, expect, it } from 'vitest';
import { sentenceOf } from '../../../main/cli/api-client.ts';

describe('the sentence of a failed request', () => {
  it.each([
    ['{"detail":"Not found."}', 'Not found.'],
    ['{"name":["This field may not be blank."]}', 'name: This field may not be blank.'],
    ['{"non_field_errors":["Wrong."],"labels":[{"name":["Too long."]}]}', 'Wrong. name: Too long.'],
    ['["Unknown format specified for the request"]', 'Unknown format specified for the request'],
    ['"just a text"', 'just a text'],
    ['There is no request with specified id', 'There is no request with specified id'],
    ['', 'The service answered with status 400.'],
    ['{}', 'The service answered with status 400.'],
  ])('of %s is the service’s own', (body, sentence) => {
    expect(sentenceOf(body, 400)).toBe(sentence);
  });
});
