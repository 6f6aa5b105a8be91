import { basename } from 'node:path';
import type { DataRequest } from '../../../preload/contract/schema/resources.ts';
import { AppError, invalidField } from '../../platform/errors.ts';

type Mapping = readonly (readonly string[])[];

const field = 'job_file_mapping';

/**
 * The files of each job, as a client names them; null if segments decide.
 * @throws AppError 400 for a mapping that no files could satisfy
 */
export function mappingOf({ job_file_mapping: mapping, ...request }: DataRequest): Mapping | null {
  if (mapping === null || mapping === undefined || mapping.length === 0) return null;
  if (mapping.some((files) => files.length === 0)) throw invalidField(field, 'Each job needs at least one file.');
  const names = mapping.flat();
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw invalidField(field, `The file ${twice} is listed more than once.`);
  const isCut = (request.start_frame ?? 0) > 0 || request.stop_frame !== undefined || request.frame_filter !== '';
  if (isCut) {
    throw invalidField(field, 'Files are assigned to jobs one by one: omit start_frame, stop_frame and frame_filter.');
  }
  return mapping;
}

/**
 * The frames of each job, for files in the order of the mapping.
 * @throws AppError if the task's files are not those of the mapping
 */
export function mappedRanges(
  mapping: Mapping,
  frames: readonly { readonly name: string }[],
): { start: number; stop: number }[] {
  const names = mapping.flat();
  // Full paths of the client were reduced to their last part.
  const isSame = (name: string, index: number) => [name, basename(name)].includes(frames[index]?.name ?? '');
  const missing = names.find((name, index) => !isSame(name, index));
  const [tooMany] = frames.slice(names.length);
  if (missing !== undefined || tooMany !== undefined) {
    const what =
      missing === undefined ? `does not list ${tooMany?.name}` : `lists ${missing}, which is not among the files`;
    throw new AppError('invalid', `Cannot create the jobs: ${field} ${what}. List every file exactly once.`);
  }
  let next = 0;
  return mapping.map((files) => {
    const start = next;
    next += files.length;
    return { start, stop: next - 1 };
  });
}
