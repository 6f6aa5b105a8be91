import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { kindOf } from '../../administration/volumes/volume-kinds.ts';
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
    const remedy = 'Where no volume was ever moved, delete the file; else the folders are found by limner volume find.';
    return [bad(area, 'fault', reasonOf(error), remedy)];
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
            `The old copy of the volume "${kindOf(left.volume)}" lies in ${join(left.home, left.aside)}.`,
            'It goes by itself once Limner has begun on the new place.',
          ),
        ];
  const cutShort =
    arriving === null
      ? []
      : [
          bad(
            area,
            'note',
            `A move of the volume "${kindOf(arriving.volume)}" to ${arriving.home} was cut short, or goes on now.`,
            'Nothing needs to be done: the next start ends it or removes the copy. The volume is whole.',
          ),
        ];
  const found = moved.flatMap((volume) => checkOne(root, volume));
  const findings = [...found, ...leftOver, ...cutShort];
  return findings.length > 0 ? findings : [good(area, 'All of them are in the data directory.')];
}

function checkOne(root: string, volume: VolumeName): Finding[] {
  const problem = volumeProblem(root, volume);
  const home = homeOf(root, volume);
  if (problem !== null) return [bad(area, 'fault', volumeSentence(root, volume, problem), volumeRemedy(volume))];
  const network = volume === 'db' ? networkFileSystem(home) : null;
  if (network === null) return [good(area, `The volume "${kindOf(volume)}" is in ${join(home, volume)}.`)];
  const what = `The volume "database" is in ${home} on a network file system (${network}), whose locks cannot be relied on.`;
  return [bad(area, 'warning', what, 'Move it to a disk of this computer: limner volume move database FOLDER')];
}
