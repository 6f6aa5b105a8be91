import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { kindOf } from '../../storage/volume-kinds.ts';
import { networkFileSystem } from '../../platform/file-systems.ts';
import type { DataDirectory } from '../../platform/paths.ts';
import {
  homeOf,
  readVolumes,
  volumeNames,
  volumeProblem,
  volumeRemedy,
  volumeSentence,
  type VolumeName,
} from '../../platform/volumes.ts';
import { bad, good, reasonOf, type Finding } from './finding.ts';

const area = 'volumes';

export function checkVolumes({ root }: DataDirectory): Finding[] {
  let facts;
  try {
    facts = readVolumes(root);
  } catch (error) {
    const suggestion =
      'If you never moved a volume, delete the file. Otherwise register the folders with limner volume find.';
    return [bad(area, 'fault', reasonOf(error), suggestion)];
  }
  const { away, arriving, left } = facts;
  const moved = volumeNames.filter((volume) => away[volume] !== undefined);
  const leftOver =
    left === null || !existsSync(join(left.home, left.aside))
      ? []
      : [
          bad(
            area,
            'note',
            `The old copy of the volume "${kindOf(left.volume)}" is still in ${join(left.home, left.aside)}.`,
            'It is deleted automatically once Limner has started with the new folder.',
          ),
        ];
  const cutShort =
    arriving === null
      ? []
      : [
          bad(
            area,
            'note',
            `The move of the volume "${kindOf(arriving.volume)}" to ${arriving.home} was interrupted or is still running.`,
            'No action needed: the next start completes the move or deletes the copy. The volume is intact.',
          ),
        ];
  const found = moved.flatMap((volume) => checkOne(root, volume));
  const findings = [...found, ...leftOver, ...cutShort];
  return findings.length > 0 ? findings : [good(area, 'All volumes are in the data directory.')];
}

function checkOne(root: string, volume: VolumeName): Finding[] {
  const problem = volumeProblem(root, volume);
  const home = homeOf(root, volume);
  if (problem !== null) return [bad(area, 'fault', volumeSentence(root, volume, problem), volumeRemedy(volume))];
  const network = volume === 'db' ? networkFileSystem(home) : null;
  if (network === null) return [good(area, `The volume "${kindOf(volume)}" is in ${join(home, volume)}.`)];
  const message = `The volume "database" is in ${home} on a network file system (${network}), where database locks are not reliable.`;
  return [bad(area, 'warning', message, 'Move it to a disk of this computer: limner volume move database FOLDER')];
}
