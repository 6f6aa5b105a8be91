import { BlockList, isIP } from 'node:net';

/** `never`: link-local, cloud metadata services, multicast and reserved ranges, regardless of the settings. */
export type AddressKind = 'loopback' | 'private' | 'never' | 'public';

export interface AddressSettings {
  readonly allowLoopback: boolean;
  readonly allowPrivateNetworks: boolean;
  /** Named in refusals. Default: the receiver of a webhook. */
  readonly target?: 'bucket' | 'model server' | 'server';
}

const loopback = blockList(['127.0.0.0/8'], ['::1/128']);
const privateNetworks = blockList(
  // RFC 1918; RFC 6598 (carrier-grade NAT, also used by overlay networks); RFC 2544
  ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '198.18.0.0/15'],
  ['fc00::/7', 'fec0::/10'],
);
const never = blockList(
  [
    '0.0.0.0/8',
    '169.254.0.0/16',
    // metadata services outside of link-local: Alibaba, Oracle (in IETF's 192.0.0.0/24), Azure
    '100.100.100.200/32',
    '192.0.0.0/24',
    '168.63.129.16/32',
    // documentation, deprecated relays, multicast, reserved, broadcast
    '192.0.2.0/24',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '192.88.99.0/24',
    '224.0.0.0/4',
    '240.0.0.0/4',
  ],
  [
    '::/128',
    'fe80::/10',
    'ff00::/8',
    '100::/64',
    // benchmarks, host identifiers, documentation
    '2001:2::/48',
    '2001:10::/28',
    '2001:db8::/32',
    '3fff::/20',
    // local-use translation to IPv4, where the position of the IPv4 address varies (RFC 8215)
    '64:ff9b:1::/48',
    // metadata services: Amazon, Google
    'fd00:ec2::/32',
    'fd20:ce::/32',
  ],
);
/** IPv6 ranges that embed an IPv4 address: index of its group, and whether it is inverted. */
const carriers = [
  { range: blockList([], ['::ffff:0:0/96']), group: 6, inverted: false, isSame: true },
  { range: blockList([], ['::/96', '::ffff:0:0:0/96', '64:ff9b::/96']), group: 6, inverted: false, isSame: false },
  { range: blockList([], ['2002::/16']), group: 1, inverted: false, isSame: false },
  { range: blockList([], ['2001::/32']), group: 6, inverted: true, isSame: false },
];

/** @param address IPv4 or IPv6 without brackets; a zone (`%eth0`) is ignored */
export function addressKind(address: string): AddressKind {
  const [bare = ''] = address.split('%');
  const family = isIP(bare);
  if (family === 0) return 'never';
  if (family === 4) return kindOf(bare, 'ipv4');
  if (never.check(bare, 'ipv6')) return 'never';
  if (loopback.check(bare, 'ipv6')) return 'loopback';
  const carrier = carriers.find(({ range }) => range.check(bare, 'ipv6'));
  if (!carrier) return kindOf(bare, 'ipv6');
  const inner = kindOf(innerAddress(bare, carrier.group, carrier.inverted), 'ipv4');
  // A mapped address is equal to its IPv4 address. Other embeddings are rejected for local targets, which never need
  // them.
  return carrier.isSame || inner === 'public' ? inner : 'never';
}

function kindOf(address: string, family: 'ipv4' | 'ipv6'): AddressKind {
  if (never.check(address, family)) return 'never';
  if (loopback.check(address, family)) return 'loopback';
  return privateNetworks.check(address, family) ? 'private' : 'public';
}

/** Reason why Limner may not connect to an address that a user has entered; null if it may. */
export function addressRefusal(address: string, settings: AddressSettings): string | null {
  switch (addressKind(address)) {
    case 'public':
      return null;
    case 'loopback':
      if (settings.allowLoopback) return null;
      return `${address} is this computer, which the webhook settings do not allow. Nothing was sent.`;
    case 'private':
      if (settings.allowPrivateNetworks) return null;
      return (
        `${address} is in a private network. Nothing was sent. Allow private networks in the webhook settings ` +
        `if the ${settings.target ?? 'receiver'} is there.`
      );
    case 'never':
      return (
        `${address} is a link-local, metadata or reserved address, to which ${settings.target === undefined ? 'webhooks never send' : 'Limner never connects'}. ` +
        'Nothing was sent. Choose another target.'
      );
  }
}

/** A list with the prefix of mapped addresses must only be checked with IPv6, because it matches every IPv4 address. */
function blockList(ipv4: readonly string[], ipv6: readonly string[]): BlockList {
  const list = new BlockList();
  for (const [ranges, family] of [[ipv4, 'ipv4'] as const, [ipv6, 'ipv6'] as const]) {
    for (const range of ranges) {
      const [address = '', prefix = ''] = range.split('/');
      list.addSubnet(address, Number(prefix), family);
    }
  }
  return list;
}

function innerAddress(address: string, group: number, inverted: boolean): string {
  const groups = expand(address).slice(group, group + 2);
  const bytes = groups.flatMap((value) => [value >> 8, value & 0xff]);
  return bytes.map((byte) => (inverted ? byte ^ 0xff : byte)).join('.');
}

/** Groups of an IPv6 address (eight numbers), in any notation. */
function expand(address: string): number[] {
  // The WHATWG parser normalizes every notation to hexadecimal groups.
  const compact = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = compact.split('::');
  const parse = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  const before = parse(head);
  if (tail === undefined) return before;
  const after = parse(tail);
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}
