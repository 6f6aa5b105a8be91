import type { pages as texts } from '../en-pages.ts';
import type { Translation } from './translation.ts';

export const pages: Translation<typeof texts> = {
  pages: {
    overview: 'Überblick',
    jobs: 'Jobs',
    tasks: 'Aufgaben',
    labels: 'Labels',
    guide: 'Anleitung',
    changes: 'Änderungen',
    details: 'Angaben',
    noChangesTitle: 'Nichts zurückzunehmen',
    noChangesText: 'Was geleert, ersetzt, importiert oder mit einem Label gelöscht wurde, steht hier eine Weile.',
    progress_one: '{{done}} von {{count}} Job fertig',
    progress_other: '{{done}} von {{count}} Jobs fertig',
    inValidation: '{{count}} in Prüfung',
    leaveTitle: 'Verlassen, ohne zu sichern?',
    leaveText: '{{what}} gingen verloren.',
    leave: 'Verlassen',
    stay: 'Bleiben',
    unsavedLabels: 'Die Änderungen an den Labels',
  },
};
