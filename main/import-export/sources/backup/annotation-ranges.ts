import { createReadStream } from 'node:fs';
import { AppError } from '../../../platform/errors.ts';

/** Byte range of one job's annotations in `annotations.json`. */
export interface JobRange {
  readonly offset: number;
  readonly sizeBytes: number;
}

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const maxDepth = 64;

const damaged = () =>
  new AppError(
    'invalid',
    'The annotations of the backup are damaged: they are not a list of jobs. Nothing was restored.',
  );

/**
 * Finds the objects of a list without parsing them, because the annotations of one job may exceed memory. Only counts
 * brackets and quotes; errors inside a range are found when it is parsed.
 */
export async function findJobRanges(path: string): Promise<JobRange[]> {
  const ranges: JobRange[] = [];
  let depth = 0;
  let start = 0;
  let inString = false;
  let isEscaped = false;
  let position = 0;

  const step = (byte: number): void => {
    if (inString) {
      if (isEscaped) isEscaped = false;
      else if (byte === backslash) isEscaped = true;
      else if (byte === quote) inString = false;
      return;
    }
    switch (byte) {
      case quote:
        inString = true;
        return;
      case openBrace:
      case openBracket:
        if (depth === 0 && (byte !== openBracket || ranges.length > 0)) throw damaged();
        if (depth === 1) start = position;
        if (depth === 1 && byte !== openBrace) throw damaged();
        depth += 1;
        if (depth > maxDepth) throw damaged();
        return;
      case closeBrace:
      case closeBracket:
        depth -= 1;
        if (depth < 0) throw damaged();
        if (depth === 1) ranges.push({ offset: start, sizeBytes: position + 1 - start });
        return;
      default:
    }
  };

  // Node types a binary stream's chunks as any.
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    for (const byte of chunk) {
      step(byte);
      position += 1;
    }
  }
  if (depth !== 0 || inString || position === 0) throw damaged();
  return ranges;
}
