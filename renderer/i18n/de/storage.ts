import type { storage as storageTexts } from '../en-storage.ts';
import type { Translation } from './translation.ts';

export const storage: Translation<typeof storageTexts> = {
  storage: {
    title: 'Speicher',
    used: 'von Limner belegt, {{free}} auf dieser Platte frei',
    check: 'Prüfen',
    volumes: 'Bereiche',
    volumesHint:
      'Während ein Bereich umzieht, kann niemand bearbeiten; der alte Ort bleibt, bis die Kopie geprüft ist.',
    names: {
      database: 'Datenbank',
      media: 'Medien',
      keys: 'Schlüssel',
      logs: 'Protokolle',
      events: 'Ereignisse',
    },
    hints: {
      database: 'Aufgaben, Objekte, Personen, Einstellungen',
      media: 'Bilder, Videos und was daraus entsteht',
      keys: 'Was versiegelte Geheimnisse öffnet',
      logs: 'Was das Programm über sich festhält',
      events: 'Was die Auswertung zählt',
    },
    files_one: '{{count}} Datei',
    files_other: '{{count}} Dateien',
    move: 'Verschieben',
    moveOne: '{{name}} verschieben',
    moveTitle: '{{name}} verschieben',
    moveText:
      'Der Bereich wird kopiert, und jede Datei wird zurückgelesen und verglichen. Dann beginnt Limner auf der Kopie neu; Ihre Anmeldung gilt weiter. Die alte Kopie wird entfernt, sobald das gelungen ist.',
    from: 'Jetzt in {{folder}}',
    folder: 'Neuer Ordner',
    folderHint: 'Der ganze Pfad eines leeren Ordners auf diesem Rechner. {{root}} holt den Bereich zurück.',
    submit: 'Kopieren und verschieben',
    moving: '{{name}}: Umzug nach {{folder}}',
    beginning: 'Limner beginnt neu',
    begun: 'Beginnt',
    moved: '{{name}}: {{when}} verschoben',
    failed: '{{name}}: der Umzug ist {{when}} fehlgeschlagen',
    inPlace: 'Bilder, die an ihrem Ort benutzt werden',
    inPlaceNone: 'Keine Aufgabe benutzt Bilder oder Videos außerhalb des Datenordners.',
    tasks_one: '{{count}} Aufgabe',
    tasks_other: '{{count}} Aufgaben',
    found: '{{files}} in {{tasks}} · alle da',
    missing_one:
      '{{count}} Datei von „{{task}}“ ist nicht da. Schließen Sie die Platte an, oder zeigen Sie, wo sie jetzt ist.',
    missing_other:
      '{{count}} Dateien von „{{task}}“ sind nicht da. Schließen Sie die Platte an, oder zeigen Sie, wo sie jetzt sind.',
    relink: 'Neu verknüpfen',
    show: 'Ordner zeigen',
    relinkTitle: 'Wo sind diese Dateien jetzt?',
    relinkText:
      'Dateien werden an denselben Stellen unterhalb des Ordners genommen, sonst dort, wo dieselben Bytes liegen. Wo ein anderes Bild liegt, wird nichts genommen. Die Dateien selbst bleiben, wie sie sind.',
    relinkFrom: 'Sie waren in {{folder}}',
    relinkTo: 'Ordner',
    relinkToHint: 'Der ganze Pfad eines Ordners auf diesem Rechner.',
    relinkSubmit: 'Dort suchen',
    relinked: 'Nach den Dateien gesucht',
  },
};
