import { InvalidArgumentError } from 'commander';

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

export function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}
