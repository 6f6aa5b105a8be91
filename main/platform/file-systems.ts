import { statfsSync } from 'node:fs';

/** https://man7.org/linux/man-pages/man2/statfs.2.html */
const networkFileSystems = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x01021997, '9p'],
  [0x00c36400, 'Ceph'],
  [0x5346414f, 'AFS'],
]);

/** The network file system of a folder; null for a local disk, or if the system does not tell. */
export const networkFileSystem = (folder: string): string | null =>
  process.platform === 'linux' ? (networkFileSystems.get(statfsSync(folder).type) ?? null) : null;
