import { describe, expect, it } from 'vitest';
import { redact, redactText, redacted } from '../../../main/platform/redact.ts';

describe('secrets in log fields', () => {
  it.each([
    'password',
    'new_password1',
    'Authorization',
    'cookie',
    'set-cookie',
    'x-csrf-token',
    'csrftoken',
    'sessionid',
    'secret',
    'webhookSecret',
    'apiKey',
    'launchToken',
    'private_key',
  ])('masks the value of %s', (key) => {
    expect(redact({ [key]: 'hunter2-value' })).toEqual({ [key]: redacted });
  });

  it('masks inside nested objects, lists and errors', () => {
    const cause = new Error('GET http://127.0.0.1/launch?token=abcdef failed');
    const shown = JSON.stringify(
      redact({ request: { headers: [{ authorization: 'Token 0123456789abcdef' }] }, error: new Error('x', { cause }) }),
    );
    expect(shown).not.toContain('0123456789abcdef');
    expect(shown).not.toContain('abcdef');
    expect(shown).toContain('GET http://127.0.0.1/launch?token=[redacted]');
  });

  it('leaves other fields as they are', () => {
    const fields = { path: '/api/tasks/5', status: 200, keyboard: 'de', tokens: 3, monkey: 'x' };
    expect(redact(fields)).toEqual(fields);
  });
});

describe('secrets in sentences', () => {
  it.each([
    ['Authorization: Token 9944b09199c62bcf9418ad846dd0e4bb', '9944b09199c62bcf9418ad846dd0e4bb'],
    ['sent Bearer abc.def-ghi_jkl', 'abc.def-ghi_jkl'],
    ['sent Basic YWRtaW46c2VjcmV0', 'YWRtaW46c2VjcmV0'],
    ['open http://127.0.0.1:8080/launch?token=s3cr3t-value&x=1', 's3cr3t-value'],
    ['Cookie: sessionid=aaaabbbb; csrftoken=ccccdddd', 'aaaabbbb'],
    ['Cookie: sessionid=aaaabbbb; csrftoken=ccccdddd', 'ccccdddd'],
    ['clone https://user:pa55word@example.test/repository', 'pa55word'],
  ])('masks %s', (text, secret) => {
    expect(redactText(text)).not.toContain(secret);
    expect(redactText(text)).toContain(redacted);
  });

  it('keeps a sentence without secrets', () => {
    const text = 'Task 5: 8 frames read in 120 ms from /data/photos?sorted';
    expect(redactText(text)).toBe(text);
  });
});
