import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pack, type Pack } from 'tar-stream';
import type { PlacedFiles } from './python-environment.ts';

/** An image as layers. Docker stores equal layers only once. */
export interface LayeredImage {
  readonly name: string;
  /** In order. Empty layers are omitted. */
  readonly layers: readonly PlacedFiles[];
  /** Part of the first layer. */
  readonly texts: readonly { readonly path: string; readonly content: string }[];
  readonly directories: readonly { readonly path: string; readonly mode: number }[];
  readonly config: Readonly<Record<string, unknown>>;
}

interface Layer {
  readonly file: string;
  readonly size: number;
  readonly sha256: string;
}

const epoch = new Date(0);

/**
 * Writes an archive like `docker save`. Equal files produce equal layers: entries are sorted and contain no time or
 * owner.
 */
export async function writeImage(
  image: LayeredImage,
  signal?: AbortSignal,
): Promise<{ archive: Readable; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'limner-image-'));
  const close = () => rm(folder, { recursive: true, force: true });
  try {
    const layers: Layer[] = [];
    for (const [index, files] of image.layers.entries()) {
      const isFirst = index === 0;
      if (!isFirst && files.size === 0) continue;
      const more = isFirst ? image : { texts: [], directories: [] };
      layers.push(await writeLayer(join(folder, `${index}.tar`), files, more, signal));
    }
    return { archive: outerArchive(image, layers), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function writeLayer(
  file: string,
  files: PlacedFiles,
  { texts, directories }: Pick<LayeredImage, 'texts' | 'directories'>,
  signal?: AbortSignal,
): Promise<Layer> {
  const archive = pack();
  const hash = createHash('sha256');
  const known = new Set<string>();
  const addDirectory = (path: string, mode = 0o755) => {
    if (path === '' || known.has(path)) return;
    addDirectory(path.split('/').slice(0, -1).join('/'));
    known.add(path);
    archive.entry({ name: path, type: 'directory', mode, mtime: epoch });
  };
  const write = async () => {
    for (const { path, mode } of directories) addDirectory(path, mode);
    for (const { path, content } of texts) {
      addDirectory(path.split('/').slice(0, -1).join('/'));
      archive.entry({ name: path, mode: 0o644, mtime: epoch }, content);
    }
    for (const [path, { source, size, isProgram }] of [...files].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      signal?.throwIfAborted();
      addDirectory(path.split('/').slice(0, -1).join('/'));
      await addFile(archive, { name: path, size, mode: isProgram ? 0o755 : 0o644, mtime: epoch }, source);
    }
    archive.finalize();
  };
  const written = write().catch((error: unknown) =>
    archive.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  await pipeline(
    Readable.from(archive),
    async function* (pieces: AsyncIterable<Buffer>) {
      for await (const piece of pieces) {
        hash.update(piece);
        yield piece;
      }
    },
    createWriteStream(file),
  );
  await written;
  return { file, size: (await stat(file)).size, sha256: hash.digest('hex') };
}

async function addFile(
  archive: Pack,
  header: { name: string; size: number; mode: number; mtime: Date },
  source: string,
) {
  if (header.size === 0) {
    archive.entry(header, '');
    return;
  }
  const sink = archive.entry(header);
  // Copies exactly the size from `stat`, because a growing file would corrupt the archive.
  await pipeline(createReadStream(source, { end: header.size - 1 }), sink);
}

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

function outerArchive({ name, config }: LayeredImage, layers: readonly Layer[]): Readable {
  const archive = pack();
  const description = JSON.stringify({
    architecture: architectures[process.arch] ?? process.arch,
    os: 'linux',
    created: new Date().toISOString(),
    config,
    rootfs: { type: 'layers', diff_ids: layers.map(({ sha256 }) => `sha256:${sha256}`) },
    history: layers.map(() => ({ created: epoch.toISOString(), created_by: 'limner' })),
  });
  const file = `${createHash('sha256').update(description).digest('hex')}.json`;
  const manifest = [{ Config: file, RepoTags: [name], Layers: layers.map(({ sha256 }) => `${sha256}/layer.tar`) }];
  const write = async () => {
    archive.entry({ name: file }, description);
    for (const { file: source, size, sha256 } of layers) {
      await addFile(archive, { name: `${sha256}/layer.tar`, size, mode: 0o644, mtime: epoch }, source);
    }
    archive.entry({ name: 'manifest.json' }, JSON.stringify(manifest));
    archive.finalize();
  };
  write().catch((error: unknown) => archive.destroy(error instanceof Error ? error : new Error(String(error))));
  return Readable.from(archive);
}
