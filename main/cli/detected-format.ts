import { basename } from 'node:path';
import type { FormatCandidate } from '../formats/kit/detection.ts';
import { dataDirectoryPaths, defaultDataDirectory } from '../platform/paths.ts';
import { note, type CliContext } from './context.ts';
import { CommandError, exitCodes } from './exit-codes.ts';

/** Below this a format is one of several that the file may be in, and the person says which. */
const certainEnough = 0.5;

/**
 * The format of a file by its content, plug-ins of the data directory included: says which it is and why, and which
 * others it may be. Throws where it cannot be told, with what speaks for each; null where nothing speaks for any.
 */
export async function detectedFormat(
  context: CliContext,
  { path, file, dataDir }: { readonly path: string; readonly file: string; readonly dataDir: string | undefined },
): Promise<string | null> {
  const { createInstalledFormats } = await import('../formats/installed-formats.ts');
  const dataDirectory = dataDirectoryPaths(dataDir ?? defaultDataDirectory()).root;
  const formats = createInstalledFormats({ dataDirectory, workerUrl: context.application.workerUrl });
  const candidates = await formats.detect({ path, name: basename(path) });
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
