import { AppError } from '../platform/errors.ts';

/** The release of the service whose behaviour clients find here: they compare it with their own version. */
export const serviceVersion = '2.73.0';
/** The only version of the service API, as `Accept` names it. */
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

/**
 * Checks what the client accepts as answer. `application/json` is taken too, although other services of this API
 * refuse it.
 * @throws AppError 406
 */
export function checkAccept(accept: string | null): void {
  if (accept === null || accept.trim() === '') return;
  const ranges = accept.split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    const version = parameters.find((parameter) => /^version=/i.test(parameter))?.slice('version='.length);
    return { type: type.toLowerCase(), version: version?.replaceAll('"', '') };
  });
  const known = ranges.filter((range) => acceptable.has(range.type));
  if (known.length === 0) throw notAcceptable('Could not satisfy the request Accept header.');
  const isGood = known.some(({ version }) => version === undefined || version === apiVersion);
  if (!isGood) throw notAcceptable('Invalid version in "Accept" header.');
}
