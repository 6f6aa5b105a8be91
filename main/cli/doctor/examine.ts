import { dataDirectoryPaths } from '../../platform/paths.ts';
import { bad, reasonOf, type Finding } from './finding.ts';
import { checkDocker, checkVideoTools } from './programs.ts';
import { checkStoreAndMedia } from './store-and-media.ts';
import { checkVolumes } from './volumes.ts';
import {
  checkDirectory,
  checkDisk,
  checkKeys,
  checkLock,
  checkLog,
  checkPort,
  checkSettings,
  readLock,
} from './environment.ts';

/**
 * Checks everything that Limner needs. Writes nothing into the data directory. A failed check does not stop the others.
 */
export async function examine(dataDirectory: string): Promise<Finding[]> {
  const paths = dataDirectoryPaths(dataDirectory);
  const lock = readLock(paths);
  const checks: readonly (readonly [string, () => Finding[] | Promise<Finding[]>])[] = [
    ['data directory', () => checkDirectory(paths)],
    ['disk', () => checkDisk(paths)],
    ['volumes', () => checkVolumes(paths)],
    ['instance', () => checkLock(paths, lock)],
    ['port', () => checkPort(lock)],
    ['settings', () => checkSettings(paths)],
    ['store', () => checkStoreAndMedia(paths, lock)],
    ['keys', () => checkKeys(paths)],
    ['log', () => checkLog(paths)],
    ['ffmpeg', () => checkVideoTools(paths)],
    ['docker', () => checkDocker(paths)],
  ];
  const findings: Finding[] = [];
  for (const [area, check] of checks) {
    try {
      findings.push(...(await check()));
    } catch (error) {
      const suggestion = 'Check the path in the message, then run limner doctor again.';
      findings.push(bad(area, 'fault', `The check failed: ${reasonOf(error)}`, suggestion));
    }
  }
  return findings;
}
