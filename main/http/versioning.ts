import { AppError } from '../platform/errors.ts';

/** CVAT release that this API matches; clients compare it with their own version. */
export const serviceVersion = '2.73.0';
/** Release in the answer to clients of CVAT 2.74 and later. */
export const newestVersion = '2.80.0';
/** The only API version, as in `Accept`. */
const apiVersion = '2.0';
const acceptable: ReadonlySet<string> = new Set([
  '*/*',
  'application/*',
  'application/vnd.cvat+json',
  'application/json',
  'text/*',
  'text/html',
]);

const notAcceptable = (message: string) => new AppError('not-acceptable', message);

function acceptedRanges(accept: string) {
  return accept.split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    const version = parameters.find((parameter) => /^version=/i.test(parameter))?.slice('version='.length);
    return { type: type.toLowerCase(), version: version?.replaceAll('"', '') };
  });
}

/** True if `Accept` allows plain JSON but not the service's own media type. */
export function wantsPlainJson(accept: string | null): boolean {
  if (accept === null || !/application\/json/i.test(accept)) return false;
  const types = new Set(acceptedRanges(accept).map(({ type }) => type));
  return !['*/*', 'application/*', 'application/vnd.cvat+json'].some((type) => types.has(type));
}

/**
 * Checks the `Accept` header. Allows `application/json` too, which CVAT rejects.
 * @throws AppError 406
 */
export function checkAccept(accept: string | null): void {
  if (accept === null || accept.trim() === '') return;
  const ranges = acceptedRanges(accept);
  const known = ranges.filter((range) => acceptable.has(range.type));
  if (known.length === 0) throw notAcceptable('Could not satisfy the request Accept header.');
  const isGood = known.some(({ version }) => version === undefined || version === apiVersion);
  if (!isGood) throw notAcceptable('Invalid version in "Accept" header.');
}
