import {
  useMutation,
  useQueryClient,
  type DataTag,
  type QueryKey,
  type UseMutationResult,
} from '@tanstack/react-query';
import { notify } from '../ui/notify.ts';

interface ChangeOptions<Input, Output> {
  /** Keys of the queries to load again, also after a failure. */
  readonly reloads?: readonly (string | QueryKey)[];
  /** Key of the query whose data is the result. */
  readonly keeps?: DataTag<QueryKey, Output, Error>;
  readonly done?: (output: Output, input: Input) => unknown;
  /** Title of the notification about a failure. Without it, the caller shows `error`. */
  readonly failed?: string | ((input: Input) => string);
}

/** A change of the service's data. It is pending until the queries that it changes are loaded again. */
export function useChange<Output, Input = void>(
  mutationFn: (input: Input) => Promise<Output>,
  { reloads = [], keeps, done, failed }: ChangeOptions<Input, Output> = {},
): UseMutationResult<Output, Error, Input> {
  const client = useQueryClient();
  const reload = (): Promise<unknown> =>
    Promise.all(reloads.map((key) => client.invalidateQueries({ queryKey: typeof key === 'string' ? [key] : key })));
  return useMutation({
    mutationFn,
    onSuccess: async (output, input) => {
      if (keeps !== undefined) client.setQueryData<unknown>(keeps, output);
      const reloaded = reload();
      await done?.(output, input);
      await reloaded;
    },
    onError: (error, input) => {
      if (failed !== undefined) notify.failure(typeof failed === 'string' ? failed : failed(input), error);
      return reload();
    },
  });
}
