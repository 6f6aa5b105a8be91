import { basename } from 'node:path';
import type { FormatCandidate } from '../formats/detect.ts';
import { note } from './context.ts';
import type { CliContext } from './context.ts';
import { CommandError, exitCodes } from './exit-codes.ts';

/** Below this a format is one of several that the file may be in, and the person says which. */
const certainEnough = 0.5;

/**
 * The format of a file by its content: says which it is and why, and which others it may be. Throws where it cannot be
 * told, with what speaks for each; null where nothing speaks for any.
 */
export async function detectedFormat(context: CliContext, path: string, file: string): Promise<string | null> {
  const { detectFormat } = await import('../formats/detect.ts');
  // A file that cannot be opened has no candidates: what follows says so in its own words.
  const candidates = await detectFormat({ path, name: basename(path) }).catch((): FormatCandidate[] => []);
  const [best, ...others] = candidates;
  if (!best) return null;
  if (best.confidence < certainEnough && others.length > 0) {
    throw new CommandError(
      exitCodes.usage,
      `The format of ${file} cannot be told for sure. Choose one with --format:\n${candidates.map(described).join('\n')}`,
    );
  }
  note(context, `Format: ${best.name} (guessed; --format NAME chooses another). ${best.reason}`);
  if (others.length > 0) note(context, `It may also be:\n${others.map(described).join('\n')}`);
  return best.name;
}

function described({ name, reason }: FormatCandidate): string {
  return `  ${name}: ${reason}`;
}
