import { volumeKinds, type VolumeKind } from '../../preload/contract/schema/storage.ts';
import type { VolumeName } from '../platform/volumes.ts';

export const folderNames: Readonly<Record<VolumeKind, VolumeName>> = {
  database: 'db',
  media: 'data',
  keys: 'keys',
  logs: 'logs',
  events: 'events',
};

export function kindOf(volume: VolumeName): VolumeKind {
  const kind = volumeKinds.find((one) => folderNames[one] === volume);
  if (kind === undefined) throw new Error(`There is no volume ${volume}.`);
  return kind;
}
