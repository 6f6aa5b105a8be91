import type { Dialog } from 'electron';
import { describeCopy } from '../db/store/copies.ts';
import type { StoreRefused } from '../db/store/store-refused.ts';

export type StoreChoice =
  | { readonly kind: 'restore'; readonly copy: string }
  | { readonly kind: 'start-empty' }
  | { readonly kind: 'open-damaged' }
  | { readonly kind: 'quit' };

interface Button {
  readonly label: string;
  readonly choice: StoreChoice;
}

const offeredCopies = 2;

/**
 * Offers the same actions as the command line. Quitting changes nothing and is the default when the dialog is closed.
 */
function buttonsFor({ problem, copies }: StoreRefused): Button[] {
  const quit: Button = { label: 'Quit', choice: { kind: 'quit' } };
  if (problem === 'newer' || problem === 'older') return [quit];
  return [
    ...copies.slice(0, offeredCopies).map((copy): Button => ({
      label: `Restore the copy of ${describeCopy(copy)}`,
      choice: { kind: 'restore', copy: copy.name },
    })),
    ...(problem === 'damaged'
      ? [{ label: 'Open as it is to export data', choice: { kind: 'open-damaged' } } satisfies Button]
      : []),
    { label: 'Start with an empty workbench', choice: { kind: 'start-empty' } },
    quit,
  ];
}

export async function askAboutStore(
  dialog: Pick<Dialog, 'showMessageBox'>,
  productName: string,
  refused: StoreRefused,
): Promise<StoreChoice> {
  const buttons = buttonsFor(refused);
  const quit = buttons.length - 1;
  const { response } = await dialog.showMessageBox({
    type: 'warning',
    title: productName,
    message: `${productName} cannot open its store`,
    detail: `${refused.message} Nothing is deleted: restoring a copy or starting empty moves the current data to another folder.`,
    buttons: buttons.map(({ label }) => label),
    defaultId: 0,
    cancelId: quit,
    noLink: true,
  });
  return buttons[response]?.choice ?? { kind: 'quit' };
}
