const booleans: ReadonlySet<string> = new Set(['use_zip_chunks', 'use_cache', 'copy_data', 'accept_damaged']);
const lists: ReadonlySet<string> = new Set([
  'client_files',
  'server_files',
  'remote_files',
  'server_files_exclude',
  'upload_file_order',
]);

/**
 * The fields of a form as the JSON body that they stand for: `name[3]` is an element of a list, a name that is known
 * as a list's may come several times, and Python's `True` and `False` are booleans.
 */
export function formBody(fields: readonly (readonly [string, string])[]): Record<string, unknown> {
  const plain = new Map<string, unknown>();
  const collected = new Map<string, { index: number; value: string }[]>();
  for (const [name, value] of fields) {
    const indexed = /^(\w+)\[(\d{1,7})\]$/.exec(name);
    const list = indexed?.[1] ?? name;
    if (!indexed && !lists.has(name)) {
      plain.set(name, booleans.has(name) ? /^(true|1|on)$/i.test(value) : value);
      continue;
    }
    const items = collected.get(list) ?? [];
    items.push({ index: Number(indexed?.[2] ?? items.length), value });
    collected.set(list, items);
  }
  for (const [name, items] of collected) {
    plain.set(
      name,
      items.sort((a, b) => a.index - b.index).map((item) => item.value),
    );
  }
  return Object.fromEntries(plain);
}
