import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { openContainer, withSource } from '../formats/io/open-source.ts';
import { isSystemFile, nestedArchives, type SourceFile } from '../formats/io/source.ts';
import { writeArchive } from '../formats/kit/frame-images.ts';
import { refused, usage } from './exit-codes.ts';
import { note, type CliContext } from './context.ts';
import type { FormatCandidate } from '../formats/kit/detection.ts';
import { dataDirectoryPaths, defaultDataDirectory } from '../platform/paths.ts';

/** Runs `work` on a file, or on a temporary archive of a folder. */
export async function withPackedFolder<Result>(
  path: string,
  context: CliContext,
  work: (file: string, leftOut: readonly string[]) => Promise<Result>,
): Promise<Result> {
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory() !== true) return work(path, []);
  const folder = await mkdtemp(join(tmpdir(), 'limner-folder-'));
  const archive = join(folder, `${basename(path)}.zip`);
  try {
    const source = await openContainer({ path, name: basename(path) });
    const entries = source.entries.filter((entry) => !isSystemFile(entry.path));
    if (entries.length === 0) throw refused(`${path} contains no files: there is nothing to import.`);
    await writeArchive(archive, async (zip) => {
      for (const entry of entries) {
        context.stopSignal.throwIfAborted();
        await zip.addFile(entry.path, join(path, ...entry.path.split('/')));
      }
    });
    return await work(archive, source.warnings);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Below this confidence the user has to choose between several candidates. */
const certainEnough = 0.5;

/**
 * Detects a file's format by its content, including format plug-ins of the data directory. Prints the format, the
 * reason and the other candidates. Returns null without candidates.
 * @throws CommandError if the best of several candidates is uncertain
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
  if (!best) {
    await requireOpenable({ path, name: basename(path) });
    return null;
  }
  if (best.confidence < certainEnough && others.length > 0) {
    throw usage(
      `Cannot determine the format of ${file} with certainty. Choose one with --format:\n${candidates.map(described).join('\n')}`,
    );
  }
  note(context, `Format: ${best.name} (detected; choose another with --format NAME). ${best.reason}`);
  if (others.length > 0) note(context, `Other possible formats:\n${others.map(described).join('\n')}`);
  return best.name;
}

/** A file without a known format may be unreadable or an archive of archives; this error says which. */
async function requireOpenable(file: SourceFile): Promise<void> {
  await withSource(file, async (source) => {
    const [first] = nestedArchives(source);
    if (first === undefined) return;
    throw refused(
      `${file.name} contains no known dataset, but archives such as ${first}. Unpack these and import them.`,
    );
  });
}

function described({ name, reason }: FormatCandidate): string {
  return `  ${name}: ${reason}`;
}
