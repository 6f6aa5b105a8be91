import { type FileHandle, open } from 'node:fs/promises';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync, parquetSchema, snappyUncompress } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { parquetPlan } from 'hyparquet/src/plan.js';
import { assembleAsync, readRowGroup } from 'hyparquet/src/rowgroup.js';
import { getMaxDefinitionLevel, getMaxRepetitionLevel, getSchemaPath } from 'hyparquet/src/schema.js';
import { readVarInt } from 'hyparquet/src/thrift.js';
import { AppError } from '../../../platform/errors.ts';
import type { LocalRange } from '../source.ts';

const mebibyte = 1024 * 1024;
export const tableLimits = {
  footerBytes: 64 * mebibyte,
  /** Bytes of one column in one row group, compressed and not. One such column is in memory at a time. */
  columnBytes: 512 * mebibyte,
  /** Values of one column in one row group. */
  values: 4_000_000,
  rows: 200_000,
  columns: 2_000,
};

type Decompress = (input: Uint8Array, sizeBytes: number) => Uint8Array;
const within = (sizeBytes: number) => ({ maxOutputLength: Math.max(1, sizeBytes) });
/** LZ4 and LZO are not read: `datasets` and pyarrow write them on request only. */
const decompressors: Readonly<Record<string, Decompress>> = {
  SNAPPY(input, sizeBytes) {
    const output = new Uint8Array(sizeBytes);
    snappyUncompress(input, output);
    return output;
  },
  GZIP: (input, sizeBytes) => gunzipSync(input, within(sizeBytes)),
  BROTLI: (input, sizeBytes) => brotliDecompressSync(input, within(sizeBytes)),
  ZSTD: (input, sizeBytes) => zstdDecompressSync(input, within(sizeBytes)),
};

/** Encodings of `datasets` and pyarrow. The output of others is not bounded by their page: DELTA_BYTE_ARRAY repeats values. */
const encodings = new Set(['PLAIN', 'RLE', 'PLAIN_DICTIONARY', 'RLE_DICTIONARY']);

export type Table = Awaited<ReturnType<typeof openTable>>;

/** Reads a Parquet file column by column and row group by row group. All failures are `AppError('invalid')`. */
export async function openTable(range: LocalRange, name: string) {
  const handle = await open(range.path, 'r');
  try {
    return tableOf(handle, name, await readMetadata(handle, range, name), range);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

const damaged = (name: string, cause: unknown): AppError =>
  new AppError(
    'invalid',
    `Cannot read ${name}: it is not a Parquet file, or it is damaged. Download it again.`,
    undefined,
    { cause },
  );

const refused = (name: string, reason: string): AppError =>
  new AppError('invalid', `Cannot read ${name}: ${reason}. Write it again with \`datasets\`. Nothing was imported.`);

/** Bytes of a part of the file. Not from Node's pool: hyparquet takes the memory behind them. */
function bytesOf(handle: FileHandle, { offset, sizeBytes }: LocalRange): AsyncBuffer {
  return {
    byteLength: sizeBytes,
    async slice(start, end = sizeBytes) {
      if (!(start >= 0 && start <= end && end <= sizeBytes)) throw new RangeError('a part is outside the file');
      const memory = new ArrayBuffer(end - start);
      const { bytesRead } = await handle.read(new Uint8Array(memory), 0, end - start, offset + start);
      if (bytesRead !== end - start) throw new RangeError('the file ends early');
      return memory;
    },
  };
}

async function readMetadata(handle: FileHandle, range: LocalRange, name: string): Promise<FileMetaData> {
  const file = bytesOf(handle, range);
  const { byteLength: size } = file;
  try {
    const footer = new DataView(await file.slice(Math.max(0, size - 8))).getUint32(0, true);
    if (footer <= size && footer > tableLimits.footerBytes) throw refused(name, `its footer has ${footer} bytes`);
    const metadata = await parquetMetadataAsync(file, { geoparquet: false });
    const counts = metadata.row_groups.map(({ num_rows: count }) => Number(count));
    if (!counts.every((count) => Number.isSafeInteger(count) && count >= 0)) throw new RangeError('a count is wrong');
    const rows = counts.reduce((sum, count) => sum + count, 0);
    if (rows > tableLimits.rows)
      throw refused(name, `it has ${rows} rows, and at most ${tableLimits.rows} are read from one file`);
    if (metadata.schema.length > tableLimits.columns) throw refused(name, `it has ${metadata.schema.length} columns`);
    // Throws for columns that do not add up.
    parquetSchema(metadata);
    return metadata;
  } catch (error) {
    throw error instanceof AppError ? error : damaged(name, error);
  }
}

function tableOf(handle: FileHandle, name: string, metadata: FileMetaData, range: LocalRange) {
  const file = bytesOf(handle, range);
  const schema = parquetSchema(metadata);
  const groups = metadata.row_groups.map(({ num_rows: rows }) => Number(rows));

  /** Reads the leaves of one row group for which `isWanted` is true. */
  async function leaves(group: number, isWanted: (path: readonly string[]) => boolean) {
    const row = metadata.row_groups[group];
    const columns = (row?.columns ?? []).filter(({ meta_data: meta }) => meta && isWanted(meta.path_in_schema));
    const reduced = { ...metadata, row_groups: row ? [{ ...row, columns }] : [] };
    try {
      const plan = parquetPlan({ file, metadata: reduced });
      const [first] = plan.groups;
      if (!first) return undefined;
      for (const { columnMetadata, range: place } of first.chunks) {
        const { path_in_schema: path, codec } = columnMetadata;
        if (place.endByte - place.startByte > tableLimits.columnBytes) throw tooLarge(name, path);
        checkColumn(new DataView(await file.slice(place.startByte, place.endByte)), {
          name,
          path,
          codec,
          levels: getSchemaPath(metadata.schema, path),
        });
      }
      return readRowGroup({ file, metadata: reduced, compressors: decompressors, utf8: false }, plan, first);
    } catch (error) {
      throw error instanceof AppError ? error : damaged(name, error);
    }
  }

  return {
    name,
    schema,
    groups,
    keys: new Map((metadata.key_value_metadata ?? []).map(({ key, value }) => [key, value])),
    /** Stated size of a column, decompressed. */
    sizeOf: (group: number, path: readonly string[]): number => {
      const column = metadata.row_groups[group]?.columns.find(
        ({ meta_data: meta }) => meta?.path_in_schema.join('.') === path.join('.'),
      );
      return Number(column?.meta_data?.total_uncompressed_size ?? 0);
    },
    /** Values of one leaf that is in no list. */
    async leaf(group: number, path: readonly string[]): Promise<unknown[]> {
      const found = await leaves(group, (one) => one.join('.') === path.join('.'));
      try {
        const pages = (await found?.asyncColumns[0]?.data)?.data ?? [];
        // Each structure around a value is an array of one.
        return pages.flatMap((page) => Array.from(page as ArrayLike<unknown>)).map(innermost);
      } catch (error) {
        throw damaged(name, error);
      }
    },
    /** Rows of a group, with these columns. */
    async rows(group: number, columns: ReadonlySet<string>): Promise<Record<string, unknown>[]> {
      const found = await leaves(group, ([column = '']) => columns.has(column));
      const rows: Record<string, unknown>[] = Array.from({ length: groups[group] ?? 0 }, () => ({}));
      if (!found) return rows;
      try {
        for (const { pathInSchema, data } of assembleAsync(found, schema).asyncColumns) {
          const values = (await data).data.flatMap((page) => Array.from(page as ArrayLike<unknown>));
          for (const [index, row] of rows.entries()) row[pathInSchema[0] ?? ''] = values[index];
        }
      } catch (error) {
        throw damaged(name, error);
      }
      return rows;
    },
    close: () => handle.close(),
  };
}

const innermost = (one: unknown): unknown => {
  let inner = one;
  while (Array.isArray(inner)) inner = inner[0];
  return inner;
};

const tooLarge = (name: string, path: readonly string[]): AppError =>
  refused(
    name,
    `a row group has more than ${tableLimits.columnBytes / mebibyte} MB, or ${tableLimits.values} values, in the column ${path.join('.')}`,
  );

interface ColumnPlace {
  readonly name: string;
  readonly path: readonly string[];
  /** Undefined for a number that no compression has. */
  readonly codec: string | undefined;
  readonly levels: ReturnType<typeof getSchemaPath>;
}

/** Throws for pages that need more memory than the limits. The library believes what pages say of themselves. */
function checkColumn(view: DataView, { name, path, codec, levels }: ColumnPlace): void {
  const decompress = decompressors[codec ?? ''];
  if (codec === undefined) throw new RangeError('a compression is unknown');
  if (!decompress && codec !== 'UNCOMPRESSED') throw refused(name, `it is compressed as ${codec}`);
  const reader = { view, offset: 0 };
  const widths = [getMaxRepetitionLevel([...levels]), getMaxDefinitionLevel([...levels])];
  let [bytes, values] = [0, 0];
  while (reader.offset < view.byteLength - 1) {
    const header = parquetHeader(reader);
    const { uncompressed_page_size: size, compressed_page_size: stored } = header;
    const page = header.data_page_header ?? header.data_page_header_v2 ?? header.dictionary_page_header;
    if (!page || !(size >= 0 && stored >= 0 && page.num_values >= 0 && stored <= view.byteLength - reader.offset))
      throw new RangeError('a page has a wrong size');
    bytes += size;
    values += page.num_values;
    if (bytes > tableLimits.columnBytes || values > tableLimits.values) throw tooLarge(name, path);
    if (page.encoding === undefined) throw new RangeError('an encoding is unknown');
    if (!encodings.has(page.encoding)) throw refused(name, `it uses the encoding ${page.encoding}`);
    const content = new Uint8Array(view.buffer, view.byteOffset + reader.offset, stored);
    reader.offset += stored;
    if (header.dictionary_page_header) continue;
    const v2 = header.data_page_header_v2;
    if (v2) {
      const lengths = [v2.repetition_levels_byte_length, v2.definition_levels_byte_length];
      const start = (lengths[0] ?? 0) + (lengths[1] ?? 0);
      if (!lengths.every((length) => length >= 0) || start > stored) throw new RangeError('levels exceed their page');
      if (widths[0]) checkRuns(content, { start: 0, length: lengths[0], most: page.num_values, width: widths[0] });
      if (widths[1])
        checkRuns(content, { start: lengths[0] ?? 0, length: lengths[1], most: page.num_values, width: widths[1] });
    }
    const head = v2 ? v2.repetition_levels_byte_length + v2.definition_levels_byte_length : 0;
    const packed = content.subarray(head);
    const isPacked = decompress && v2?.is_compressed !== false && size > head;
    const plain = isPacked ? decompress(packed, size - head) : packed;
    let start = 0;
    if (!v2)
      for (const width of widths)
        if (width) start = checkRuns(plain, { start, length: undefined, most: page.num_values, width });
    if (page.encoding === 'RLE') checkRuns(plain, { start, length: undefined, most: page.num_values, bits: 1 });
    if (page.encoding.endsWith('_DICTIONARY') && start < plain.length)
      checkRuns(plain, {
        start: start + 1,
        length: plain.length - start - 1,
        most: page.num_values,
        bits: plain[start] ?? 0,
      });
  }
}

interface Runs {
  readonly start: number;
  /** Undefined if four bytes in front of the runs say it. */
  readonly length: number | undefined;
  /** Values that the runs may have. */
  readonly most: number;
  /** Highest value, from which the number of bits follows. */
  readonly width?: number;
  readonly bits?: number;
}

/** Checks that run lengths do not add up to more values than the page has. Returns the end. */
function checkRuns(bytes: Uint8Array, { start, length, most, width = 0, bits = 32 - Math.clz32(width) }: Runs): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const reader = { view, offset: start };
  if (length === undefined) reader.offset += 4;
  const end = reader.offset + (length ?? view.getUint32(start, true));
  if (end > bytes.length) throw new RangeError('runs exceed their page');
  for (let seen = 0; seen < most && reader.offset < end;) {
    const header = readVarInt(reader);
    // Eight values a group when they are packed; the last group may be incomplete.
    const count = header & 1 ? (header >>> 1) * 8 : header >>> 1;
    const rest = most - seen;
    if (header & 1 ? count >= rest + 8 : count > rest) throw new RangeError('runs have more values than their page');
    if (count === 0 && (header & 1) === 0) throw new RangeError('a run is empty');
    seen += count;
    reader.offset += header & 1 ? (header >>> 1) * bits : Math.ceil(bits / 8);
  }
  return end;
}
