import { join } from 'node:path';
import { build } from 'esbuild';
import { cell, referencePage, table } from './page.ts';

interface KeyedAction {
  readonly id: string;
  readonly label: string;
  readonly number?: number;
  readonly group: string;
  readonly keys: readonly string[];
}

/** Parts of the renderer for the page. They need a bundler, because they import JSON. */
interface KeyModules {
  readonly actions: readonly KeyedAction[];
  readonly texts: Readonly<Record<string, unknown>>;
  readonly actionGroups: readonly string[];
  readonly listedGroup: (group: string) => string;
  readonly formatShortcut: (shortcut: string, options: { readonly isMac: boolean }) => string;
  readonly presets: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

const entry = `
  export { sessionActions as actions } from './renderer/features/workspace/commands/action-list.ts';
  import texts from './renderer/i18n/en.json';
  export { texts };
  export { actionGroups, listedGroup } from './renderer/shared/keys/action-groups.ts';
  export { formatShortcut } from './renderer/canvas/shortcuts.ts';
  export { presets } from './renderer/shared/keys/presets.ts';
`;

async function loadKeys(root: string): Promise<KeyModules> {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: root, loader: 'ts' },
    absWorkingDir: root,
    bundle: true,
    write: false,
    outdir: join(root, 'out'),
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
    jsx: 'automatic',
  });
  const code = outputFiles.find(({ path }) => path.endsWith('.js'))?.text ?? '';
  return (await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)) as KeyModules;
}

/** Keys such as `\\` and the backtick mean something in Markdown. */
const keycap = (text: string): string =>
  `<kbd>${text.replaceAll(/[^\p{L}\p{N}+ ]/gu, (character) => `&#${character.codePointAt(0)};`)}</kbd>`;

export async function keysPage(root: string): Promise<string> {
  const { actions, texts, actionGroups, listedGroup, formatShortcut, presets } = await loadKeys(root);
  const textOf = (key: string, number?: number): string => {
    const found = key.split('.').reduce<unknown>((at, part) => Object(at)[part] as unknown, texts);
    return String(found).replaceAll('{{number}}', String(number ?? ''));
  };
  const keycaps = (shortcuts: readonly string[], isMac: boolean): string =>
    shortcuts.map((shortcut) => keycap(formatShortcut(shortcut, { isMac }))).join(', ');
  const parts = actionGroups.flatMap((group) => {
    const rows = actions
      .filter((action) => listedGroup(action.group) === group)
      .map(({ label, number, keys }) => [cell(textOf(label, number)), keycaps(keys, false), keycaps(keys, true)]);
    return rows.length === 0
      ? []
      : [`## ${textOf(`help.groups.${group}`)}`, table(['Action', 'Windows, Linux', 'macOS'], rows)];
  });
  const names: Readonly<Record<string, string>> = Object.fromEntries(
    actions.map(({ id, label, number }) => [id, textOf(label, number)]),
  );
  const presetParts = Object.entries(presets).flatMap(([id, changes]) => {
    const rows = Object.entries(changes).map(([action, shortcuts]) => [
      cell(names[action] ?? action),
      keycaps(shortcuts, false),
      keycaps(shortcuts, true),
    ]);
    const title = textOf(`keys.presets.${id}`);
    return rows.length === 0 ? [] : [`### ${title}`, table(['Action', 'Windows, Linux', 'macOS'], rows)];
  });
  return referencePage({
    title: 'Keys',
    order: 6,
    source: 'the actions of the workspace',
    parts: [
      "These are the keys of the workspace, which are CVAT's. *Settings › Shortcuts* changes them. The key " +
        'names are those of a US keyboard; the program shows those of yours.',
      ...parts,
      '## Everywhere',
      table(
        ['Action', 'Key'],
        [
          ['Search tasks, jobs, labels, projects, commands and Help', '<kbd>Ctrl+K</kbd>'],
          ['Help about the screen', '<kbd>?</kbd>'],
          ['Help', '<kbd>F1</kbd>'],
          ['Keyboard shortcuts', '<kbd>Shift+F1</kbd>'],
        ],
      ),
      '## Presets',
      'A preset changes these keys. All others stay.',
      ...presetParts,
    ],
  });
}
