import type { Command } from 'commander';
import type { OperationId, Operations } from '../../preload/contract/operations/index.ts';
import type { BodyInputOf, OutputOf, ParamsOf } from '../../preload/contract/operation.ts';
import type { ApiClient } from './api-client.ts';
import { asking, show, tableLines, type JsonOptions } from './commands.ts';
import { withClient } from './connection.ts';
import { note, type CliContext } from './context.ts';
import { orMissing } from './exit-codes.ts';
import { parseId } from './options.ts';

/** Operations that return one page of objects. */
type ListId = {
  [Id in OperationId]: OutputOf<Operations[Id]> extends { readonly results: readonly unknown[] } ? Id : never;
}[OperationId];

type ItemOf<Id extends ListId> = (OutputOf<Operations[Id]> & {
  readonly results: readonly unknown[];
})['results'][number];

/** Operations that delete the object of an id. */
type DeleteId = {
  [Id in OperationId]: Id extends `delete${string}`
    ? ParamsOf<Operations[Id]> extends { readonly id: number }
      ? Id
      : never
    : never;
}[OperationId];

type CreateId = Extract<OperationId, `create${string}`>;

/** Columns of a table by heading. */
export type Columns<Item> = Readonly<Record<string, (item: Item) => string | number | null | undefined>>;

/** Formats items as a table with headings. An absent value becomes `-`. */
export const tableOf = <Item>(items: readonly Item[], columns: Columns<Item>): string[] =>
  tableLines([
    Object.keys(columns),
    ...items.map((item) => Object.values(columns).map((cell) => String(cell(item) ?? '-'))),
  ]);

/** Makes `command` print a collection: as a table, or with `--json` as the API returns it. */
export function listing<Id extends ListId>(
  command: Command,
  context: CliContext,
  operation: Id,
  columns: Columns<ItemOf<Id>>,
): void {
  command.action(
    asking(context, async (client: ApiClient, options: JsonOptions) => {
      // All list operations accept the page size; the type of the union does not say so.
      const { results } = (await client.call(operation, { query: { page_size: 'all' } } as never)) as {
        readonly results: readonly ItemOf<Id>[];
      };
      show(context, options, results, () => tableOf(results, columns));
    }),
  );
}

/**
 * Makes `command` create an object.
 * @param inputOf called with the arguments and the options, before the service is contacted
 * @param linesOf the printed line, and a note for a person who reads it
 */
export function addition<Id extends CreateId, Typed extends readonly unknown[]>(
  command: Command,
  context: CliContext,
  operation: Id,
  inputOf: (...typed: Typed) => { readonly body: BodyInputOf<Operations[Id]>; readonly query?: object },
  linesOf: (made: OutputOf<Operations[Id]>) => readonly [line: string, note?: string],
): void {
  command.action(async (...typed: unknown[]) => {
    // Commander passes the declared arguments, the options, and the command itself.
    const input = inputOf(...(typed as unknown as Typed));
    const options = (typed.at(-1) as Command).opts<JsonOptions>();
    await withClient(context, options, async (client) => {
      const made = (await client.call(operation, input as never)) as OutputOf<Operations[Id]>;
      const [line, remark] = linesOf(made);
      show(context, options, made, () => line);
      if (remark !== undefined && !options.json) note(context, remark);
    });
  });
}

/** Makes `command` delete the object whose id is its argument. */
export function removal(
  command: Command,
  context: CliContext,
  operation: DeleteId,
  noun: string,
  verb: 'removed' | 'revoked' = 'removed',
): void {
  command.argument('<id>', `id of the ${noun}`, parseId).action(
    asking(context, async (client: ApiClient, id: number, options: JsonOptions) => {
      await orMissing(`There is no ${noun} ${id}.`, client.call(operation, { params: { id } } as never));
      show(
        context,
        options,
        { id, [verb]: true },
        () => `${verb === 'removed' ? 'Removed' : 'Revoked'} ${noun} ${id}.`,
      );
    }),
  );
}
