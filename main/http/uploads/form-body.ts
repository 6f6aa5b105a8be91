const booleans: ReadonlySet<string> = new Set(['use_zip_chunks', 'use_cache', 'copy_data']);
const lists: ReadonlySet<string> = new Set([
  'client_files',
  'server_files',
  'remote_files',
  'server_files_exclude',
  'upload_file_order',
]);
const maxListIndex = 1_000_000;

/**
 * The fields of a form as the JSON body that they stand for: `name[3]` is an element of a list, a name that is known
 * as a list's may come several times, and Python's `True` and `False` are booleans.
 */
export function formBody(fields: readonly (readonly [string, string])[]): Record<string, unknown> {
  const plain = new Map<string, unknown>();
  const collected = new Map<string, { readonly index: number; readonly value: string }[]>();
  for (const [name, value] of fields) {
    const indexed = /^(\w+)\[(\d{1,7})\]$/.exec(name);
    const list = indexed?.[1] ?? name;
    const items = collected.get(list) ?? [];
    const index = Math.min(Number(indexed?.[2] ?? items.length), maxListIndex);
    if (indexed || lists.has(name)) collected.set(list, [...items, { index, value }]);
    else plain.set(name, booleans.has(name) ? /^(true|1|on)$/i.test(value) : value);
  }
  for (const [name, items] of collected) {
    plain.set(
      name,
      items.sort((a, b) => a.index - b.index).map((item) => item.value),
    );
  }
  return Object.fromEntries(plain);
}
