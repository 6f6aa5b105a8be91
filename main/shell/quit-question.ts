import type { Dialog } from 'electron';
import { named, type ShellTexts } from './shell-texts.ts';

/** More names than one reads at a glance. */
const mostNamed = 5;

interface QuitQuestion {
  readonly dialog: Pick<Dialog, 'showMessageBox'>;
  readonly applicationName: string;
  readonly texts: ShellTexts;
  /** Names of the functions whose containers run. */
  readonly running: readonly string[];
}

/** Whether containers that run are to be stopped at the end; nobody is asked where none runs. */
export async function wantsFunctionsStopped({ dialog, applicationName, texts, running }: QuitQuestion) {
  if (running.length === 0) return false;
  const { functionsRun, functionsRunDetail, stopFunctions, leaveFunctions } = texts;
  const names = running.slice(0, mostNamed).join(', ') + (running.length > mostNamed ? ', …' : '');
  // No window is left that it could belong to.
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
