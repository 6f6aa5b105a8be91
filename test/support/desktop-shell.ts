import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication } from 'playwright-core';
import { prepareElectron22 } from './electron-22/prepare.ts';
import { projectRoot } from './node-executable.ts';

interface ShellUnderTest {
  readonly executable: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The service runs in the main process. */
  readonly hasOwnService: boolean;
}

/** Electron 22 in its suite; otherwise the Electron package if its binary is present, or the stand-in. */
export async function shellUnderTest(): Promise<ShellUnderTest> {
  if (process.env['LIMNER_DESKTOP'] === 'electron-22')
    return { ...(await prepareElectron22()), args: [], hasOwnService: false };
  const pathFile = join(projectRoot, 'node_modules', 'electron', 'path.txt');
  const real = existsSync(pathFile)
    ? join(projectRoot, 'node_modules', 'electron', 'dist', readFileSync(pathFile, 'utf8'))
    : '';
  const executable =
    existsSync(real) && process.env['LIMNER_STAND_IN'] === undefined
      ? real
      : join(projectRoot, 'test', 'support', 'electron-stand-in', 'electron');
  return { executable, args: [projectRoot], env: {}, hasOwnService: true };
}

/** Globals of the main process in tests. */
export interface Shown {
  readonly shownMessageBox?: { readonly message: string; readonly detail: string; readonly buttons: readonly string[] };
  readonly answerMessageBox?: (response: number) => void;
}

/** Records questions to the user instead of showing them, as the stand-in does. */
export async function recordQuestions(electron: ElectronApplication): Promise<void> {
  await electron.evaluate(({ dialog }) => {
    dialog.showMessageBox = ((...args: unknown[]) => {
      Object.assign(globalThis, { shownMessageBox: args.at(-1) });
      return new Promise((resolve) => {
        Object.assign(globalThis, {
          answerMessageBox(response: number) {
            Object.assign(globalThis, { shownMessageBox: undefined });
            resolve({ response, checkboxChecked: false });
          },
        });
      });
    }) as typeof dialog.showMessageBox;
  });
}
