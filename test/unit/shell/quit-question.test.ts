import type { Dialog, MessageBoxOptions } from 'electron';
import { describe, expect, it } from 'vitest';
import { wantsFunctionsStopped } from '../../../main/shell/quit-question.ts';
import { shellTexts } from '../../../main/shell/shell-texts.ts';

function personWhoPresses(name: string) {
  const shown: MessageBoxOptions[] = [];
  const showMessageBox = async (options: MessageBoxOptions) => {
    shown.push(options);
    return { response: (options.buttons ?? []).indexOf(name), checkboxChecked: false };
  };
  return { shown, dialog: { showMessageBox } as Pick<Dialog, 'showMessageBox'> };
}

const ask = (dialog: Pick<Dialog, 'showMessageBox'>, running: readonly string[], language = 'en') =>
  wantsFunctionsStopped({ dialog, applicationName: 'Limner', texts: shellTexts(language), running });

describe('the question at quitting', () => {
  it('names the running functions, and stops them on request', async () => {
    const { shown, dialog } = personWhoPresses('Stop');
    expect(await ask(dialog, ['yolo', 'sam'])).toBe(true);
    expect(shown[0]).toMatchObject({ message: 'Running functions: yolo, sam', cancelId: 0 });
    expect(await ask(personWhoPresses('Weiterlaufen lassen').dialog, ['yolo'], 'de')).toBe(false);
  });

  it('is not shown if none runs, and does not name dozens', async () => {
    const { shown, dialog } = personWhoPresses('Stop');
    expect(await ask(dialog, [])).toBe(false);
    expect(shown).toEqual([]);
    await ask(dialog, ['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    expect(shown[0]?.message).toMatch(/: a, b, c, d, e, …$/);
  });
});
