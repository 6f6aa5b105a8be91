import { sentencesOf } from '../../../../preload/contract/client.ts';
import { ApiError, messageOf } from '../../../api/api-error.ts';

export interface DeployProblems {
  readonly configuration: readonly string[];
  readonly ofField: Readonly<Record<string, string | undefined>>;
  readonly all: readonly string[];
}

const none: DeployProblems = { configuration: [], ofField: {}, all: [] };

/** Fields that show their errors themselves, without a name in front. */
const plainKeys: ReadonlySet<string> = new Set(['detail', 'configuration', 'non_field_errors']);

/** Sorts the service's errors by part of the form. */
export function deployProblems(error: unknown): DeployProblems {
  if (error === null || error === undefined) return none;
  const body = error instanceof ApiError ? error.body : undefined;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return { ...none, all: messageOf(error).split('\n') };
  }
  const configuration = sentencesOf(Reflect.get(body, 'configuration'));
  const ofField: Record<string, string> = {};
  const rest: string[] = [];
  for (const [key, value] of Object.entries(body)) {
    // Additional permissions are shown separately with checkboxes.
    if (key === 'configuration' || key === 'permissions') continue;
    const sentences = sentencesOf(value);
    if (sentences[0] !== undefined && !plainKeys.has(key)) ofField[key] = sentences[0];
    rest.push(...sentences);
  }
  const all = [...configuration, ...rest];
  return { configuration, ofField, all: all.length > 0 ? all : [messageOf(error)] };
}
