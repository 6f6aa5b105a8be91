import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, it } from 'vitest';
import { menuCommands } from '../../../preload/contract/desktop-bridge.ts';
import { menuTemplate } from '../../../main/shell/menu.ts';

function itemsOf(isMac: boolean, isDeveloper = false): { items: MenuItemConstructorOptions[]; sent: string[] } {
  const sent: string[] = [];
  const nothing = (): void => undefined;
  const template = menuTemplate({
    isMac,
    isDeveloper,
    applicationName: 'Limner',
    run: (command) => void sent.push(command),
    showDataDirectory: nothing,
    showLogs: nothing,
    showAbout: nothing,
  });
  return { items: template.flatMap((menu) => menu.submenu as MenuItemConstructorOptions[]), sent };
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

  it('offers the developer tools only while the program is developed', () => {
    const roles = (isDeveloper: boolean) => itemsOf(isMac, isDeveloper).items.map((item) => item.role);
    expect(roles(false)).not.toContain('toggleDevTools');
    expect(roles(true)).toContain('toggleDevTools');
  });
});
