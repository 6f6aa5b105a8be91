import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { writeBody } from '../../../main/http/uploads/write-body.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const mebibyte = 1024 * 1024;
let folder = '';
let file = '';

beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'body.part');
});

/** Bytes that depend on their offset, each chunk with separate memory like from a socket. */
function bytesAt(start: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  for (let index = 0; index < size; index += 1) bytes[index] = ((start + index) * 31) >> 3;
  return bytes;
}

async function* arriving(size: number, from = 0): AsyncGenerator<Uint8Array> {
  const pieceBytes = 65_521;
  for (let sent = 0; sent < size; sent += pieceBytes) yield bytesAt(from + sent, Math.min(pieceBytes, size - sent));
}

test('writes a body of any size unchanged, and resolves after it is on disk', async () => {
  const size = 40 * mebibyte + 123;
  const told: number[] = [];
  const end = await writeBody(file, 0, size, arriving(size), async (endBytes) => {
    expect(statSync(file).size).toBeGreaterThanOrEqual(endBytes);
    told.push(endBytes);
  });
  expect(end).toBe(size);
  expect(readFileSync(file).equals(bytesAt(0, size))).toBe(true);
  expect(told.length).toBeGreaterThan(2);
  expect(told).toEqual(told.toSorted((a, b) => a - b));
  expect(told.at(-1)).toBe(size);
});

test('continues after an interrupted body, like one that is sent at once', async () => {
  const [whole, first] = [3 * mebibyte, mebibyte + 7];
  const told: number[] = [];
  const kept = async (endBytes: number) => void told.push(endBytes);
  async function* broken() {
    yield* arriving(first);
    throw new Error('aborted');
  }
  await expect(writeBody(file, 0, whole, broken(), kept)).rejects.toThrow('aborted');
  expect(told).toEqual([first]);
  expect(await writeBody(file, first, whole, arriving(whole - first, first), kept)).toBe(whole);
  expect(readFileSync(file).equals(bytesAt(0, whole))).toBe(true);
});

test('writes nothing beyond the limit, and earlier bytes count', async () => {
  const told: number[] = [];
  const kept = async (endBytes: number) => void told.push(endBytes);
  await expect(writeBody(file, 0, mebibyte, arriving(2 * mebibyte), kept)).rejects.toMatchObject({ code: 'too-large' });
  expect(told).toEqual([readFileSync(file).length]);
  expect(told[0]).toBeLessThanOrEqual(mebibyte);
});

test('a failing disk ends the transfer with its reason', async () => {
  let arrived = 0;
  async function* endless() {
    for (; ; arrived += mebibyte) yield new Uint8Array(mebibyte);
  }
  const full = async () => {
    throw new Error('no space left');
  };
  await expect(writeBody(file, 0, 4096 * mebibyte, endless(), full)).rejects.toThrow('no space left');
  expect(arrived).toBeLessThan(128 * mebibyte);
});

test('does not detach memory that a chunk shares with other bytes', async () => {
  const shared = bytesAt(0, 100);
  await writeBody(
    file,
    0,
    100,
    (async function* () {
      yield shared.subarray(0, 40);
      yield shared.subarray(40);
    })(),
  );
  expect(readFileSync(file).equals(shared)).toBe(true);
});
