import { describe, expect, it } from 'vitest';
import { externalAddress, isOwnAddress } from '../../../main/shell/external-address.ts';

describe('an address for the system browser', () => {
  it.each(['https://example.com/manual?page=2#top', 'http://example.com/'])('may be %s', (address) => {
    expect(externalAddress(address)).toBe(address);
  });

  it.each([
    'about:blank',
    'blob:https://example.com/1',
    'chrome://settings',
    'data:text/html,x',
    'devtools://devtools',
    'file:///etc/passwd',
    'ftp://example.com/',
    'intent://scan/#Intent;scheme=zxing;end',
    'javascript:alert(1)',
    'mailto:a@example.com',
    'ms-msdt:/id PCWDiagnostic',
    'ms-settings:privacy',
    'nfs://example.com/',
    'search-ms:query=x',
    'sftp://example.com/',
    'smb://example.com/share',
    'ssh://example.com/',
    'tel:123',
    'vbscript:x',
    'view-source:https://example.com',
    'vscode://file/etc/passwd',
    'https://user:word@example.com/',
    'no address',
    '',
  ])('may not be %s', (address) => {
    expect(externalAddress(address)).toBeNull();
  });
});

describe('an address of the own service', () => {
  const own = 'http://127.0.0.1:8080';
  it('has the same scheme, host and port', () => {
    expect(isOwnAddress('http://127.0.0.1:8080/tasks/5?x#y', own)).toBe(true);
  });
  it.each([
    'https://127.0.0.1:8080/',
    'http://127.0.0.1:8081/',
    'http://localhost:8080/',
    'http://127.0.0.1:8080@example.com/',
    'http://127.0.0.1.example.com:8080/',
    'file:///tasks/5',
    'not an address',
  ])('is not %s', (address) => {
    expect(isOwnAddress(address, own)).toBe(false);
  });
});
