import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { CommandError, exitCodes } from './exit-codes.ts';

export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) {
    throw new InvalidArgumentError('A port is a whole number from 0 to 65535; 0 takes any free one.');
  }
  return port;
}

export function parseId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) {
    throw new InvalidArgumentError('An id is a whole number, as the addresses and lists of the program show it.');
  }
  return Number(text);
}

export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It is a whole number from 1 on.');
  return Number(text);
}

export function parseAmount(text: string): number {
  if (!/^(0|[1-9]\d{0,8})$/.test(text)) throw new InvalidArgumentError('It is a whole number from 0 on.');
  return Number(text);
}

export function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}

/** A secret that is given by a file, as what stands in a command line can be read by others: its first line. */
export function secretIn(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandError(exitCodes.usage, `The file ${file} cannot be read. Nothing was changed.`, {
      cause: error,
    });
  }
  const secret = (text.split('\n')[0] ?? '').replace(/\r$/, '');
  if (secret === '') {
    throw new CommandError(exitCodes.usage, `The first line of ${file} is empty. Nothing was changed.`);
  }
  return secret;
}
