import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../../platform/errors.ts';
import { tooLargeToRead } from '../source-single-file.ts';
import { isImagePath, isTablePath, type LocalRange, type Source, type SourceEntry } from '../source.ts';
import { type DatasetCard, type Feature, featuresOfMetadata, namesIn, plainValue, readCard } from './features.ts';
import { openTable, type Table, tableLimits } from './read-table.ts';

/** Columns that become the members of a line of `metadata.jsonl`. */
const metadataColumns = ['image_id', 'width', 'height', 'objects', 'label', 'labels'];
const maxCardBytes = 8 * 1024 * 1024;

/** A Parquet file with an image in each row. */
interface ImageTable {
  readonly table: Table;
  readonly features: ReadonlyMap<string, Feature>;
  /** Leaf with the bytes of the images. */
  readonly bytes: readonly string[];
  readonly columns: ReadonlySet<string>;
  /** Names of the images, by row. */
  readonly names: string[];
}

interface ImagePlace {
  readonly of: ImageTable;
  readonly group: number;
  /** Row in the group. */
  readonly row: number;
}

/**
 * Shows the Parquet files of a Hugging Face snapshot as the image folders that they were made from: `SPLIT/IMAGE` and
 * `SPLIT/metadata.jsonl`. Nothing is unpacked: reading an image reads its row group, and one row group is kept.
 */
export async function withImageTables(source: Source): Promise<Source> {
  const paths = source.entries.map(({ path }) => path).filter(isTablePath);
  const spill = createSpill(source);
  const warnings = [...source.warnings];
  const tables: ImageTable[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(tables.map(({ table }) => table.close()));
    await spill.close();
    await source.close();
  };
  try {
    const card = await cardOf(source);
    const view = createView();
    for (const path of paths) {
      const table = await openTable(await spill.place(path), path);
      const opened = imageTable(table, card);
      if (opened === null) {
        await table.close();
        warnings.push(`${path} was left out: it has no column with images.`);
        continue;
      }
      tables.push(opened);
      const others = table.schema.children.map(({ element }) => element.name);
      const left = others.filter((name) => !opened.columns.has(name) && name !== opened.bytes[0]);
      if (left.length > 0) warnings.push(`These columns of ${path} were left out: ${left.join(', ')}.`);
      await view.add(opened, folderOf(path, card));
    }
    return tables.length === 0 ? { ...source, warnings, close } : { ...view.source(source), warnings, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function cardOf(source: Source): Promise<DatasetCard> {
  const [shortest] = source.entries
    .filter(({ path, sizeBytes }) => /(?:^|\/)README\.md$/i.test(path) && sizeBytes <= maxCardBytes)
    .toSorted((a, b) => a.path.length - b.path.length);
  return readCard(shortest ? (await source.read(shortest.path)).toString('utf8') : '');
}

/** Parquet is read from its end, so files in compressed archives are unpacked for the time of the import. */
function createSpill(source: Source) {
  let folder: string | undefined;
  let count = 0;
  return {
    async place(path: string): Promise<LocalRange> {
      const local = await source.localPath(path);
      // Only complete reading verifies a checksum.
      if (local && local.crc32 === undefined) return local;
      folder ??= await mkdtemp(join(tmpdir(), 'limner-parquet-'));
      const target = join(folder, `${(count += 1)}.parquet`);
      await pipeline(source.stream(path), createWriteStream(target, { flags: 'wx' }));
      return { path: target, offset: 0, sizeBytes: source.entries.find((one) => one.path === path)?.sizeBytes ?? 0 };
    },
    async close(): Promise<void> {
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Columns of a table; null if none has images. */
function imageTable(table: Table, card: DatasetCard): ImageTable | null {
  const features = new Map([...card.features, ...featuresOfMetadata(table.keys.get('huggingface'))]);
  const candidates = table.schema.children.flatMap(({ element, children }) => {
    const isStruct = children.some((child) => child.element.name === 'bytes' && child.element.type === 'BYTE_ARRAY');
    const isImage = features.get(element.name)?.kind === 'image';
    if (isStruct && (isImage || children.some((child) => child.element.name === 'path')))
      return [{ name: element.name, bytes: [element.name, 'bytes'] }];
    const isBytes = children.length === 0 && element.type === 'BYTE_ARRAY' && element.converted_type !== 'UTF8';
    return isBytes && (isImage || element.name === 'image') ? [{ name: element.name, bytes: [element.name] }] : [];
  });
  const image = candidates.find(({ name }) => name === 'image') ?? candidates[0];
  if (!image) return null;
  const isOther = (name: string): boolean => candidates.some((one) => one.name === name);
  const present = table.schema.children.map(({ element }) => element.name);
  const columns = new Set(metadataColumns.filter((name) => present.includes(name) && !isOther(name)));
  return { table, features, bytes: image.bytes, columns, names: [] };
}

/** Folder of the images: the split, in the folders of the file. */
function folderOf(path: string, card: DatasetCard): string {
  const parents = posix
    .dirname(path)
    .split('/')
    .filter((part) => part !== '.' && part !== 'data');
  const base = posix.basename(path).replace(/\.parquet$/i, '');
  const shard = /^(.+?)-\d{4,6}-of-\d{4,6}(?:-[0-9a-f]{16})?$/.exec(base)?.[1];
  const isNumber = /^\d+$/.test(base);
  const stated = card.splitOf(path) ?? shard ?? (isNumber ? parents.at(-1) : undefined) ?? base;
  const split = stated.replaceAll(/[^\p{L}\p{N}_.-]/gu, '_').replace(/^\.+/, '_') || 'default';
  return (parents.at(-1) === stated ? [...parents.slice(0, -1), split] : [...parents, split]).join('/');
}

/** Entries of the images and of their metadata. */
function createView() {
  const places = new Map<string, ImagePlace>();
  const entries: SourceEntry[] = [];
  const folders = new Map<string, ImageTable[]>();
  let kept: { readonly of: ImageTable; readonly group: number; readonly images: Promise<unknown[]> } | undefined;

  function imagesOf(of: ImageTable, group: number): Promise<unknown[]> {
    if (kept?.of !== of || kept.group !== group) kept = { of, group, images: of.table.leaf(group, of.bytes) };
    return kept.images;
  }

  async function image(path: string, { of, group, row }: ImagePlace): Promise<Buffer> {
    const bytes = (await imagesOf(of, group))[row];
    if (bytes instanceof Uint8Array) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    throw new AppError('invalid', `Cannot read ${path}: ${of.table.name} has only its name, and not the image.`);
  }

  async function* metadata(tables: readonly ImageTable[]): AsyncGenerator<Buffer> {
    for (const { table, features, columns, names } of tables) {
      let number = 0;
      for (const group of table.groups.keys()) {
        const lines = (await table.rows(group, columns)).map((row) => {
          const members = Object.entries(row).flatMap(([name, one]) => {
            const plain = plainValue(one, features.get(name));
            return plain === null ? [] : [[name, plain] as const];
          });
          return `${JSON.stringify({ file_name: names[number++], ...Object.fromEntries(members) })}\n`;
        });
        yield Buffer.from(lines.join(''));
      }
    }
  }

  return {
    async add(of: ImageTable, folder: string): Promise<void> {
      const { table, bytes } = of;
      folders.set(folder, [...(folders.get(folder) ?? []), of]);
      const start = (folders.get(folder) ?? []).reduce((sum, { names }) => sum + names.length, 0);
      for (const [group, rows] of table.groups.entries()) {
        const stated = bytes.length > 1 ? await table.leaf(group, [bytes[0] ?? '', 'path']) : [];
        const own = Array.from({ length: rows }, (_, row) => statedName(stated[row]));
        // The kind of an image without a name is read from its first bytes.
        const images = own.includes(null) ? await imagesOf(of, group) : [];
        const mean = Math.ceil(table.sizeOf(group, bytes) / Math.max(1, rows));
        for (const [row, name] of own.entries()) {
          const number = String(start + of.names.length).padStart(6, '0');
          const plain = name ?? `${number}.${extensionOf(images[row])}`;
          const unique = places.has(`${folder}/${plain}`) ? `${number}_${plain}` : plain;
          of.names.push(unique);
          places.set(`${folder}/${unique}`, { of, group, row });
          entries.push({ path: `${folder}/${unique}`, sizeBytes: mean });
        }
        if (places.size > tableLimits.rows)
          throw new AppError(
            'invalid',
            `Cannot read ${table.name}: the dataset has more than ${tableLimits.rows} images. Choose a part of its files.`,
          );
      }
    },
    source(base: Source): Source {
      const lists = new Map([...folders].map(([folder, tables]) => [`${folder}/metadata.jsonl`, tables]));
      const collect = async (path: string, tables: readonly ImageTable[], maxBytes: number): Promise<Buffer> => {
        const parts: Buffer[] = [];
        let size = 0;
        for await (const part of metadata(tables)) {
          size += part.length;
          if (size > maxBytes) throw tooLargeToRead(path, size, maxBytes);
          parts.push(part);
        }
        return Buffer.concat(parts);
      };
      const lineBytes = 100;
      const listed = [...lists].map(([path, tables]) => ({
        path,
        sizeBytes: tables.reduce((sum, { names }) => sum + names.length * lineBytes, 0),
      }));
      const all = [...folders.values()].flat();
      return {
        ...base,
        kind: base.kind === 'file' ? 'folder' : base.kind,
        classes: [
          ...new Set(
            all.flatMap(({ features, columns }) => namesIn([...columns].flatMap((name) => features.get(name) ?? []))),
          ),
        ],
        entries: [...base.entries, ...listed, ...entries],
        has: (path) => places.has(path) || lists.has(path) || base.has(path),
        async read(path, maxBytes = tableLimits.columnBytes) {
          const place = places.get(path);
          if (place) return image(path, place);
          const tables = lists.get(path);
          return tables ? collect(path, tables, maxBytes) : base.read(path, maxBytes);
        },
        async *stream(path) {
          const place = places.get(path);
          const tables = lists.get(path);
          if (place) yield await image(path, place);
          else yield* tables ? metadata(tables) : base.stream(path);
        },
        localPath: async (path) => (places.has(path) || lists.has(path) ? undefined : base.localPath(path)),
      };
    },
  };
}

/** Name without folders; null if it is not the name of an image. */
function statedName(stated: unknown): string | null {
  const base = typeof stated === 'string' ? (stated.replaceAll('\\', '/').split('/').at(-1) ?? '') : '';
  // oxlint-disable-next-line no-control-regex -- control characters are what is asked for
  return base.length <= 255 && !base.startsWith('.') && isImagePath(base) && !/[\u0000-\u001F\u007F]/.test(base)
    ? base
    : null;
}

const signatures: readonly (readonly [hex: string, extension: string])[] = [
  ['89504e47', 'png'],
  ['47494638', 'gif'],
  ['52494646', 'webp'],
  ['424d', 'bmp'],
  ['49492a00', 'tif'],
  ['4d4d002a', 'tif'],
];

function extensionOf(image: unknown): string {
  const head = image instanceof Uint8Array ? Buffer.from(image.subarray(0, 4)).toString('hex') : '';
  return signatures.find(([hex]) => head.startsWith(hex))?.[1] ?? 'jpg';
}
