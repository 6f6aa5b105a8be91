import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, it } from 'vitest';
import { menuCommands } from '../../../preload/contract/desktop-bridge.ts';
import { menuTemplate } from '../../../main/shell/menu.ts';
import { shellTexts } from '../../../main/shell/shell-texts.ts';

function itemsOf(
  isMac: boolean,
  { isDeveloper = false, language = 'en', recent = [] as readonly string[] } = {},
): { menus: MenuItemConstructorOptions[]; items: MenuItemConstructorOptions[]; sent: string[] } {
  const sent: string[] = [];
  const nothing = (): void => undefined;
  const template = menuTemplate({
    texts: shellTexts(language),
    isMac,
    isDeveloper,
    recent,
    applicationName: 'Limner',
    run: (command) => void sent.push(command),
    openPath: (path) => void sent.push(path),
    clearRecent: () => void sent.push('forgotten'),
    showDataDirectory: nothing,
    showLogs: nothing,
    showAbout: nothing,
  });
  const items = template.flatMap((menu) => (menu.submenu ?? []) as MenuItemConstructorOptions[]);
  return { menus: template, items, sent };
}

describe.each([
  ['macOS', true],
  ['Linux and Windows', false],
])('the menu on %s', (_platform, isMac) => {
  it('reaches every command of the page exactly once', () => {
    const { items, sent } = itemsOf(isMac);
    for (const item of items) (item.click as (() => void) | undefined)?.();
    expect(sent.toSorted()).toEqual([...menuCommands].toSorted());
  });

  it('uses each accelerator once', () => {
    const accelerators = itemsOf(isMac).items.flatMap((item) => item.accelerator ?? []);
    expect(new Set(accelerators).size).toBe(accelerators.length);
  });

  it('offers the developer tools only during development', () => {
    const roles = (isDeveloper: boolean) => itemsOf(isMac, { isDeveloper }).items.map((item) => item.role);
    expect(roles(false)).not.toContain('toggleDevTools');
    expect(roles(true)).toContain('toggleDevTools');
  });

  it('has all its texts in each language', () => {
    const labels = (language: string) => itemsOf(isMac, { language }).items.flatMap(({ label }) => label ?? []);
    const english = labels('en');
    const german = labels('de-AT');
    expect(german).toHaveLength(english.length);
    expect(german.filter((label, index) => label === english[index])).toEqual([]);
    expect(labels('eo')).toEqual(english);
  });

  it('offers recently opened files by name, and clears them', () => {
    const recentOf = (recent: readonly string[]) => {
      const { items, sent } = itemsOf(isMac, { recent });
      return { menu: items.find(({ label }) => label === 'Open recent'), sent };
    };
    expect(recentOf([]).menu).toMatchObject({ enabled: false, submenu: [] });
    const { menu, sent } = recentOf(['/photos/bread & butter', '/backups/all.limner']);
    const shown = menu?.submenu as MenuItemConstructorOptions[];
    expect(shown.map(({ label, type }) => label ?? type)).toEqual([
      'bread && butter',
      'all.limner',
      'separator',
      'Forget these',
    ]);
    for (const item of shown) (item.click as (() => void) | undefined)?.();
    expect(sent).toEqual(['/photos/bread & butter', '/backups/all.limner', 'forgotten']);
  });

  it('has a menu of windows if the system has one', () => {
    expect(itemsOf(isMac).menus.some(({ role }) => role === 'windowMenu')).toBe(isMac);
  });
});
