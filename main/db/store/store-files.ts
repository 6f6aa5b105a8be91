import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { listFolder } from '../../platform/list-folder.ts';
import type { DataDirectory } from '../../platform/paths.ts';

export const storeFile = ({ db }: Pick<DataDirectory, 'db'>): string => join(db, 'limner.sqlite');
export const copiesFolder = ({ db }: Pick<DataDirectory, 'db'>): string => join(db, 'copies');

/** Marks the file as Limner's in its header ('LMNR'), so that another program's database is not accepted. */
export const applicationId = 0x4c4d4e52;

export interface StoreHeader {
  readonly applicationId: number;
  readonly userVersion: number;
  /** True if the file has any table, without the write-ahead log. */
  readonly hasTables: boolean;
}

const headerBytes = 108;
const leafOfTables = 0x0d;

/**
 * Header of a database, read without opening it, because opening would change it and create files beside it. Source:
 * https://sqlite.org/fileformat2.html#the_database_header and, from byte 100 on, the first page of the schema table.
 * @returns `null` for a file that is not a database
 */
export function readStoreHeader(file: string): StoreHeader | null {
  const bytes = Buffer.alloc(headerBytes);
  const descriptor = openSync(file, 'r');
  try {
    if (readSync(descriptor, bytes, 0, headerBytes, 0) < headerBytes) return null;
  } finally {
    closeSync(descriptor);
  }
  if (bytes.toString('latin1', 0, 16) !== 'SQLite format 3\0') return null;
  return {
    applicationId: bytes.readUInt32BE(68),
    userVersion: bytes.readUInt32BE(60),
    hasTables: bytes[100] !== leafOfTables || bytes.readUInt16BE(103) > 0,
  };
}

/** 0 for a missing file. */
export function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Ids of the tasks with image folders below `data`, whether or not a store knows of them. */
export function mediaFolderIds({ data }: Pick<DataDirectory, 'data'>): number[] {
  return listFolder(data)
    .filter((name) => /^[1-9]\d{0,14}$/.test(name))
    .map(Number);
}
