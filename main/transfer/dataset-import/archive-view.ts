import type { Source } from '../../formats/io/source.ts';
import { AppError } from '../../platform/errors.ts';

/**
 * An archive that shows only the wanted files, under other names.
 * @param wanted path in the archive by the name that it is shown under
 */
export function archiveView(source: Source, wanted: ReadonlyMap<string, string>): Source {
  const sizes = new Map(source.entries.map(({ path, sizeBytes }) => [path, sizeBytes]));
  const entryOf = (name: string): string => {
    const entry = wanted.get(name);
    if (entry === undefined) throw new AppError('invalid', `${source.name} holds no file ${name}.`);
    return entry;
  };
  return {
    kind: 'zip',
    name: source.name,
    warnings: [],
    entries: [...wanted].map(([path, entry]) => ({ path, sizeBytes: sizes.get(entry) ?? 0 })),
    has: (name) => wanted.has(name),
    read: (name, maxBytes) => source.read(entryOf(name), maxBytes),
    stream: (name) => source.stream(entryOf(name)),
    localPath: (name) => source.localPath(entryOf(name)),
    close: () => source.close(),
  };
}
