import { sentencesOf } from '../../preload/contract/client.ts';
import { ApiError, messageOf } from './api-error.ts';

/** Splits the service's errors by field of a form, with those of no field. Empty without an error. */
export function fieldErrors<Field extends string>(
  error: unknown,
  fields: readonly Field[],
): { readonly of: Partial<Record<Field, string>>; readonly rest: string } {
  if (error === null || error === undefined) return { of: {}, rest: '' };
  const body = error instanceof ApiError ? error.body : undefined;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { of: {}, rest: messageOf(error) };
  const of: Partial<Record<Field, string>> = {};
  const rest: string[] = [];
  for (const [key, value] of Object.entries(body)) {
    const field = fields.find((one) => one === key);
    if (field === undefined) rest.push(...sentencesOf({ [key]: value }));
    else of[field] = sentencesOf(value).join(' ');
  }
  return { of, rest: rest.join(' ') };
}
