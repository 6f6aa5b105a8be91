import type { Dialog } from 'electron';
import { named, type ShellTexts } from './shell-texts.ts';

const mostNamed = 5;

interface QuitQuestion {
  readonly dialog: Pick<Dialog, 'showMessageBox'>;
  readonly applicationName: string;
  readonly texts: ShellTexts;
  readonly running: readonly string[];
}

/** Asks if running containers should stop at the end. Without running containers, returns without a question. */
export async function wantsFunctionsStopped({ dialog, applicationName, texts, running }: QuitQuestion) {
  if (running.length === 0) return false;
  const { functionsRun, functionsRunDetail, stopFunctions, leaveFunctions } = texts;
  const names = running.slice(0, mostNamed).join(', ') + (running.length > mostNamed ? ', …' : '');
  // No window is left to attach it to.
  const { response } = await dialog.showMessageBox({
    type: 'question',
    title: applicationName,
    message: functionsRun.replace('{names}', () => names),
    detail: named(functionsRunDetail, applicationName),
    buttons: [leaveFunctions, stopFunctions],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  return response === 1;
}
