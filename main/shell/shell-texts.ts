/** Texts of the shell, in the languages of the page. */
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
  reload: 'Load the page again',
  largerText: 'Larger text',
  smallerText: 'Smaller text',
  normalText: 'Normal text',
  fullScreen: 'Full screen',
  shortcuts: 'Keyboard shortcuts',
  showLogs: 'Show logs',
  quit: 'Quit',
  notSaved: 'The last edits are not saved yet.',
  notSavedDetail: 'Keep the window open to try again. Closing it now loses these edits.',
  keepOpen: 'Keep open',
  closeAndLose: 'Close and lose them',
  functionsRun: 'Functions run in containers: {names}',
  functionsRunDetail:
    'Left running, they keep their memory and graphics cards, and answer at once when {name} is opened again. Stopped, ' +
    'they start with their next call.',
  stopFunctions: 'Stop them',
  leaveFunctions: 'Leave them running',
  pageEnded: 'The page of {name} ended several times in a row',
  pageEndedDetail:
    'Every edit that was saved is kept; what was not, is offered again in the workspace. The log says why the page ' +
    'ended (Help › Show logs).',
  openAgain: 'Open it again',
  pageHangs: 'The page of {name} does not answer',
  pageHangsDetail: 'It may be busy with something large. Loading it again keeps every edit that was saved.',
  wait: 'Wait',
  loadAgain: 'Load it again',
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
  shortcuts: 'Tastenkürzel',
  showLogs: 'Protokolle zeigen',
  quit: 'Beenden',
  notSaved: 'Die letzten Änderungen sind noch nicht gespeichert.',
  notSavedDetail:
    'Lassen Sie das Fenster offen, damit es noch einmal versucht wird. Wenn Sie es jetzt schließen, gehen diese ' +
    'Änderungen verloren.',
  keepOpen: 'Offen lassen',
  closeAndLose: 'Schließen und verlieren',
  functionsRun: 'Funktionen laufen in Containern: {names}',
  functionsRunDetail:
    'Laufen sie weiter, behalten sie Speicher und Grafikkarten und antworten sofort, wenn {name} wieder geöffnet wird. ' +
    'Beendet starten sie mit ihrem nächsten Aufruf.',
  stopFunctions: 'Beenden',
  leaveFunctions: 'Weiterlaufen lassen',
  pageEnded: 'Die Seite von {name} ist mehrmals hintereinander abgestürzt',
  pageEndedDetail:
    'Alle gespeicherten Änderungen sind erhalten; was nicht gespeichert war, bietet der Arbeitsbereich wieder an. ' +
    'Das Protokoll sagt, warum die Seite geendet hat (Hilfe › Protokolle zeigen).',
  openAgain: 'Noch einmal öffnen',
  pageHangs: 'Die Seite von {name} antwortet nicht',
  pageHangsDetail: 'Vielleicht ist sie mit etwas Großem beschäftigt. Neu laden behält alle gespeicherten Änderungen.',
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
