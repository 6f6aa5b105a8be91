import { AppError } from '../../platform/errors.ts';

type Options = Readonly<Record<string, unknown>>;

function refuse(name: string, expected: string, value: unknown): never {
  const shown = typeof value === 'object' ? 'something else' : JSON.stringify(value);
  throw new AppError('invalid', `The option ${name} must be ${expected}, not ${shown}. Nothing was done.`);
}

/** A boolean option. Command line and queries pass it as text. */
export function booleanOption(options: Options, name: string, fallback: boolean): boolean {
  const value = options[name];
  if (value === undefined || value === null) return fallback;
  if (value === true || value === 'true' || value === '1') return true;
  if (value === false || value === 'false' || value === '0') return false;
  return refuse(name, 'true or false', value);
}

/** A number option within a range. Command line and queries pass it as text. */
export function numberOption(
  options: Options,
  name: string,
  range: { readonly fallback: number; readonly minimum: number; readonly maximum: number },
): number {
  const value = options[name];
  if (value === undefined || value === null) return range.fallback;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && number >= range.minimum && number <= range.maximum) return number;
  return refuse(name, `a number from ${range.minimum} to ${range.maximum}`, value);
}

export function choiceOption<Choice extends string>(
  options: Options,
  name: string,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  const value = options[name];
  if (value === undefined || value === null) return choices[0];
  return choices.find((choice) => choice === value) ?? refuse(name, `one of ${choices.join(', ')}`, value);
}
