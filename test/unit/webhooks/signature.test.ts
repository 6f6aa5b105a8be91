import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pythonJson } from '../../../main/webhooks/store/python-json.ts';
import { bodySignature, signatureHeaders, standardSignature } from '../../../main/webhooks/delivery/signature.ts';

const sentMs = Date.parse('2026-11-20T09:30:00.750Z');

describe('the signature of a request', () => {
  test('is the HMAC of the body from RFC 4231', () => {
    expect(bodySignature('Jefe', Buffer.from('what do ya want for nothing?'))).toBe(
      'sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });

  test('of Standard Webhooks equals the example of its specification', () => {
    const body = Buffer.from('{"test": 2432232314}');
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    expect(standardSignature(secret, 'msg_p5jXN8AQM9LWM0D4loKWxJek', '1614265330', body)).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
  });

  test('comes with an id and the time of sending, in seconds', () => {
    const headers = signatureHeaders(['a secret'], 'msg_1', sentMs, Buffer.from('{}'));
    expect(headers).toMatchObject({ 'webhook-id': 'msg_1', 'webhook-timestamp': '1795167000' });
    expect(headers['X-Signature-256']).toMatch(/^sha256=[0-9a-f]{64}$/);
    expect(headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
  });

  test('has one of each while a secret is replaced; the header of the body has the newest', () => {
    const body = Buffer.from('{}');
    const headers = signatureHeaders(['new', 'old'], 'msg_1', sentMs, body);
    const each = ['new', 'old'].map((secret) => standardSignature(secret, 'msg_1', '1795167000', body));
    expect(headers['webhook-signature']).toBe(each.join(' '));
    expect(headers['X-Signature-256']).toBe(bodySignature('new', body));
  });

  test('is absent without a secret', () => {
    const headers = signatureHeaders([''], 'msg_1', sentMs, Buffer.from('{}'));
    expect(Object.keys(headers)).toEqual(['webhook-id', 'webhook-timestamp']);
  });

  test('of the standard covers id and time, so that a request cannot be replayed as another', () => {
    const body = Buffer.from('{}');
    const signatures = [
      standardSignature('s', 'msg_1', '1', body),
      standardSignature('s', 'msg_2', '1', body),
      standardSignature('s', 'msg_1', '2', body),
      standardSignature('t', 'msg_1', '1', body),
    ];
    expect(new Set(signatures).size).toBe(4);
  });

  test('is valid for the sent bytes: 2,000 payloads of any kind', () => {
    const payload = fc.record({
      event: fc.string({ unit: 'binary' }),
      number: fc.oneof(fc.bigInt(), fc.double()),
      value: fc.jsonValue(),
    });
    fc.assert(
      fc.property(payload, fc.string({ unit: 'binary', minLength: 1, maxLength: 64 }), (value, secret) => {
        const text = pythonJson(value);
        const sent = Buffer.from(text, 'latin1');
        expect(sent.equals(Buffer.from(text, 'utf8'))).toBe(true);
        const headers = signatureHeaders([secret], 'msg_1', sentMs, sent);
        const key = Buffer.from(secret, 'utf8');
        const expected = createHmac('sha256', key).update(sent).digest('hex');
        expect(headers['X-Signature-256']).toBe(`sha256=${expected}`);
        if (secret.startsWith('whsec_')) return;
        const signed = Buffer.concat([Buffer.from('msg_1.1795167000.'), sent]);
        expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
      }),
      { numRuns: 2000 },
    );
  });
});
