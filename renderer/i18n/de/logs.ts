import type { logs as texts } from '../en-logs.ts';
import type { Translation } from './translation.ts';

export const logs: Translation<typeof texts> = {
  logs: {
    title: 'Protokoll',
    intro:
      'Was Limner über sich selbst festgehalten hat, ohne Geheimnisse: die letzten 25 Megabyte, nur auf diesem Computer.',
    search: 'Teil einer Zeile oder Kennung einer Anfrage',
    level: 'Ab dieser Stufe',
    levels: { debug: 'Alles', info: 'Hinweise', warn: 'Warnungen', error: 'Fehler' },
    short: { debug: 'Detail', info: 'Hinweis', warn: 'Warnung', error: 'Fehler' },
    nothingFound: 'Keine solche Zeile.',
    emptyTitle: 'Noch wurde nichts festgehalten',
    emptyText: 'Starts, fehlgeschlagene Anfragen und Arbeiten im Hintergrund stehen hier.',
    older: 'Ältere zeigen',
    fields: 'Mehr zu dieser Zeile',
    report: 'Bericht speichern…',
    reportTitle: 'Ein Bericht für jemanden, der hilft',
    reportText:
      'Er wird als Datei gespeichert und nirgends hin gesendet. Passwörter, Tokens und andere Geheimnisse sind im Protokoll unkenntlich; Namen von Dateien, Aufgaben und Personen nicht. Das ist darin:',
    save: 'Speichern',
  },
};
