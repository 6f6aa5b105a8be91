import { describe, expect, test } from 'vitest';
import { addressKind, addressRefusal } from '../../../main/platform/network/address-policy.ts';
import { hostOf, spellings } from '../../support/webhook-receiver/addresses.ts';

describe('the kind of an address', () => {
  test.each(spellings)('%s is %s', (url, kind) => {
    expect(addressKind(hostOf(url))).toBe(kind);
  });

  test.each([
    '1.1.1.1',
    '93.184.216.34',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
    '2002:808:808::',
  ])('%s is public', (address) => {
    expect(addressKind(address)).toBe('public');
  });

  test('is unsendable for a text that is not an address', () => {
    expect(addressKind('example.org')).toBe('never');
    expect(addressKind('')).toBe('never');
  });

  test('ignores its zone', () => {
    expect(addressKind('fe80::1%eth0')).toBe('never');
  });
});

describe('addresses that the settings permit', () => {
  const none = { allowLoopback: false, allowPrivateNetworks: false };
  const all = { allowLoopback: true, allowPrivateNetworks: true };

  test('are not local when both are off', () => {
    for (const [url] of spellings) expect(addressRefusal(hostOf(url), none), url).toEqual(expect.any(String));
    expect(addressRefusal('1.1.1.1', none)).toBeNull();
  });

  test('never include a link-local, metadata or reserved address', () => {
    for (const [url, kind] of spellings) {
      expect(addressRefusal(hostOf(url), all) === null, url).toBe(kind !== 'never');
    }
  });

  test('include loopback and private networks separately', () => {
    expect(addressRefusal('127.0.0.1', { ...none, allowLoopback: true })).toBeNull();
    expect(addressRefusal('10.0.0.1', { ...none, allowLoopback: true })).toMatch(/private network/);
    expect(addressRefusal('10.0.0.1', { ...none, allowPrivateNetworks: true })).toBeNull();
    expect(addressRefusal('127.0.0.1', { ...none, allowPrivateNetworks: true })).toMatch(/this computer/);
  });
});
