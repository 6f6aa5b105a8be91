const en = {
  file: '&File',
  edit: '&Edit',
  view: '&View',
  window: '&Window',
  help: '&Help',
  about: 'About {name}',
  settings: 'Settings…',
  newTask: 'New task…',
  newProject: 'New project…',
  openImages: 'Open images or video…',
  openFolder: 'Open folder…',
  openRecent: 'Open recent',
  clearRecent: 'Forget these',
  importAnnotations: 'Import annotations…',
  exportDataset: 'Export dataset…',
  restoreBackup: 'Restore a backup…',
  showData: 'Show data directory',
  undo: 'Undo',
  redo: 'Redo',
  cut: 'Cut',
  copy: 'Copy',
  paste: 'Paste',
  delete: 'Delete',
  selectAll: 'Select all',
  reload: 'Reload page',
  largerText: 'Larger text',
  smallerText: 'Smaller text',
  normalText: 'Normal text',
  fullScreen: 'Full screen',
  helpPages: '{name} Help',
  shortcuts: 'Keyboard shortcuts',
  showLogs: 'Show logs',
  quit: 'Quit',
  cannotStart: '{name} cannot start',
  notSaved: 'Your last changes are not saved yet',
  notSavedDetail: 'Keep the window open to try again. If you close it now, these changes are lost.',
  keepOpen: 'Keep open',
  closeAndLose: 'Close and discard',
  functionsRun: 'Running functions: {names}',
  functionsRunDetail:
    'If you keep them running, they stay in memory and on the GPUs, and are ready when you open {name} again. If you ' +
    'stop them, they start again with their next call.',
  stopFunctions: 'Stop',
  leaveFunctions: 'Keep running',
  pageEnded: 'The page of {name} crashed several times',
  pageEndedDetail:
    'Saved changes are not lost. Changes that were not saved are offered in the workspace. The log contains the reason ' +
    '(Help › Show logs).',
  openAgain: 'Open again',
  pageHangs: 'The page of {name} does not respond',
  pageHangsDetail: 'It may be busy with a large operation. Saved changes are not lost when you reload it.',
  wait: 'Wait',
  loadAgain: 'Reload',
};

export type ShellTexts = typeof en;

const de: ShellTexts = {
  file: '&Datei',
  edit: '&Bearbeiten',
  view: '&Ansicht',
  window: '&Fenster',
  help: '&Hilfe',
  about: 'Über {name}',
  settings: 'Einstellungen…',
  newTask: 'Neue Aufgabe…',
  newProject: 'Neues Projekt…',
  openImages: 'Bilder oder Video öffnen…',
  openFolder: 'Ordner öffnen…',
  openRecent: 'Zuletzt geöffnet',
  clearRecent: 'Liste leeren',
  importAnnotations: 'Annotationen importieren…',
  exportDataset: 'Datensatz exportieren…',
  restoreBackup: 'Sicherung wiederherstellen…',
  showData: 'Datenverzeichnis zeigen',
  undo: 'Rückgängig',
  redo: 'Wiederholen',
  cut: 'Ausschneiden',
  copy: 'Kopieren',
  paste: 'Einfügen',
  delete: 'Löschen',
  selectAll: 'Alles auswählen',
  reload: 'Seite neu laden',
  largerText: 'Größerer Text',
  smallerText: 'Kleinerer Text',
  normalText: 'Normaler Text',
  fullScreen: 'Vollbild',
  helpPages: '{name}-Hilfe',
  shortcuts: 'Tastenkürzel',
  showLogs: 'Protokolle zeigen',
  quit: 'Beenden',
  cannotStart: '{name} kann nicht starten',
  notSaved: 'Die letzten Änderungen sind noch nicht gespeichert.',
  notSavedDetail:
    'Lassen Sie das Fenster offen, um es noch einmal zu versuchen. Wenn Sie es jetzt schließen, gehen diese ' +
    'Änderungen verloren.',
  keepOpen: 'Offen lassen',
  closeAndLose: 'Schließen und verwerfen',
  functionsRun: 'Laufende Funktionen: {names}',
  functionsRunDetail:
    'Laufende Funktionen belegen weiter Speicher und GPUs und sind sofort bereit, wenn Sie {name} wieder öffnen. ' +
    'Beendete Funktionen starten beim nächsten Aufruf neu.',
  stopFunctions: 'Beenden',
  leaveFunctions: 'Weiterlaufen lassen',
  pageEnded: 'Die Seite von {name} ist mehrmals hintereinander abgestürzt',
  pageEndedDetail:
    'Gespeicherte Änderungen sind nicht verloren. Nicht gespeicherte Änderungen bietet der Arbeitsbereich wieder an. ' +
    'Der Grund steht im Protokoll (Hilfe › Protokolle zeigen).',
  openAgain: 'Erneut öffnen',
  pageHangs: 'Die Seite von {name} reagiert nicht',
  pageHangsDetail: 'Möglicherweise läuft ein größerer Vorgang. Gespeicherte Änderungen bleiben beim Neuladen erhalten.',
  wait: 'Warten',
  loadAgain: 'Neu laden',
};

const texts = { en, de } as const;
export type ShellLanguage = keyof typeof texts;
const isShellLanguage = (text: string): text is ShellLanguage => text in texts;

/** `tag` is a language or a locale such as `de-AT`. Unsupported languages get English. */
export function shellTexts(tag: string): ShellTexts {
  const language = tag.split('-')[0] ?? '';
  return isShellLanguage(language) ? texts[language] : en;
}

export const named = (text: string, name: string): string => text.replace('{name}', name);
