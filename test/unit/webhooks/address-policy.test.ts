import { describe, expect, test } from 'vitest';
import { addressKind, addressRefusal, type AddressKind } from '../../../main/webhooks/delivery/address-policy.ts';

/** Ways to write this computer and its neighbourhood in an address; the host is what a URL parser makes of it. */
const spellings: readonly (readonly [string, AddressKind])[] = [
  ['http://127.0.0.1/', 'loopback'],
  ['http://127.1/', 'loopback'],
  ['http://127.0.1/', 'loopback'],
  ['http://127.255.255.254/', 'loopback'],
  ['http://2130706433/', 'loopback'],
  ['http://0x7f000001/', 'loopback'],
  ['http://0x7f.0x0.0x0.0x1/', 'loopback'],
  ['http://0177.0.0.1/', 'loopback'],
  ['http://017700000001/', 'loopback'],
  ['http://0177.1/', 'loopback'],
  ['http://127.0.0.1./', 'loopback'],
  ['http://%31%32%37.0.0.1/', 'loopback'],
  ['http://①②⑦.⓪.⓪.①/', 'loopback'],
  ['http://127。0。0。1/', 'loopback'],
  ['http://somebody@127.0.0.1/', 'loopback'],
  ['http://example.org@127.0.0.1/', 'loopback'],
  ['http://[::1]/', 'loopback'],
  ['http://[0:0:0:0:0:0:0:1]/', 'loopback'],
  ['http://[0000:0000:0000:0000:0000:0000:0000:0001]/', 'loopback'],
  ['http://[::ffff:127.0.0.1]/', 'loopback'],
  ['http://[::ffff:7f00:1]/', 'loopback'],
  ['http://[0:0:0:0:0:ffff:127.0.0.1]/', 'loopback'],
  ['http://0.0.0.0/', 'never'],
  ['http://0/', 'never'],
  ['http://[::]/', 'never'],
  ['http://[::127.0.0.1]/', 'never'],
  ['http://[64:ff9b::7f00:1]/', 'never'],
  ['http://[2002:7f00:1::]/', 'never'],
  ['http://[::ffff:0:127.0.0.1]/', 'never'],
  ['http://[64:ff9b:1:7f00:0:100::]/', 'never'],
  ['http://[3fff::1]/', 'never'],
  ['http://[2001:0:5ef5:79fd::80ff:fffe]/', 'never'],
  ['http://169.254.169.254/', 'never'],
  ['http://2852039166/', 'never'],
  ['http://0xa9fea9fe/', 'never'],
  ['http://[::ffff:169.254.169.254]/', 'never'],
  ['http://[fe80::1]/', 'never'],
  ['http://[fd00:ec2::254]/', 'never'],
  ['http://100.100.100.200/', 'never'],
  ['http://168.63.129.16/', 'never'],
  ['http://192.0.0.192/', 'never'],
  ['http://224.0.0.1/', 'never'],
  ['http://255.255.255.255/', 'never'],
  ['http://[ff02::1]/', 'never'],
  ['http://10.1.2.3/', 'private'],
  ['http://172.16.0.1/', 'private'],
  ['http://192.168.1.1/', 'private'],
  ['http://3232235777/', 'private'],
  ['http://100.64.0.1/', 'private'],
  ['http://[fd12:3456::1]/', 'private'],
  ['http://[::ffff:10.0.0.1]/', 'private'],
];

const hostOf = (url: string) => new URL(url).hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');

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

  test('of a text that is no address is one to which nothing is sent', () => {
    expect(addressKind('example.org')).toBe('never');
    expect(addressKind('')).toBe('never');
  });

  test('with a zone is that of the address', () => {
    expect(addressKind('fe80::1%eth0')).toBe('never');
  });
});

describe('what the settings allow', () => {
  const none = { allowLoopback: false, allowPrivateNetworks: false };
  const all = { allowLoopback: true, allowPrivateNetworks: true };

  test('nothing local when both are off', () => {
    for (const [url] of spellings) expect(addressRefusal(hostOf(url), none), url).toEqual(expect.any(String));
    expect(addressRefusal('1.1.1.1', none)).toBeNull();
  });

  test('never a link-local, metadata or reserved address', () => {
    for (const [url, kind] of spellings) {
      expect(addressRefusal(hostOf(url), all) === null, url).toBe(kind !== 'never');
    }
  });

  test('loopback and private networks apart', () => {
    expect(addressRefusal('127.0.0.1', { ...none, allowLoopback: true })).toBeNull();
    expect(addressRefusal('10.0.0.1', { ...none, allowLoopback: true })).toMatch(/private network/);
    expect(addressRefusal('10.0.0.1', { ...none, allowPrivateNetworks: true })).toBeNull();
    expect(addressRefusal('127.0.0.1', { ...none, allowPrivateNetworks: true })).toMatch(/this computer/);
  });
});
