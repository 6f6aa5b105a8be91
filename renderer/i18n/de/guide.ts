import type { guide as texts } from '../en-guide.ts';
import type { Translation } from './translation.ts';

export const guide: Translation<typeof texts> = {
  guide: {
    title: 'Anleitung',
    toggle: 'Anleitung zeigen oder schließen',
    loading: 'Die Anleitung wird geladen',
    failed: 'Die Anleitung ließ sich nicht laden',
    empty: 'Die Anleitung dieses Jobs hat noch keinen Text.',
    none: 'Dieser Job hat keine Anleitung.',
    ofProject: 'Die Anleitung gehört zum Projekt „{{name}}“.',
    projectNone: 'Die Anleitung gehörte zum Projekt „{{name}}“, das noch keine hat.',
    emptyTitle: 'Noch keine Anleitung',
    emptyText:
      'Eine Anleitung sagt, wie annotiert wird. Sie steht neben dem Bild, bei allen, die an einem Job arbeiten.',
    write: 'Anleitung schreiben',
    edit: 'Anleitung bearbeiten',
    save: 'Anleitung sichern',
    saved: 'Die Anleitung ist gesichert.',
    notSaved: 'Die Anleitung wurde nicht gesichert',
    kept: 'Ihr Text ist noch da; versuchen Sie es noch einmal.',
    yourText: 'Die Änderungen an der Anleitung',
    text: 'Text der Anleitung',
    textHint: 'Markdown. Bilder (PNG, JPEG, WebP, GIF) werden hier eingefügt oder abgelegt.',
    preview: 'Vorschau der Anleitung',
    previewEmpty: 'Hier steht, wie der Text aussieht.',
    addPicture: 'Bilder hinzufügen',
    pictureFailed: 'Das Bild kam nicht hinzu',
    conflict: 'Jemand anders hat die Anleitung inzwischen gesichert',
    conflictText: 'Darüber wurde nichts geschrieben, und Ihr Text steht noch unten. Das ist der andere:',
    keepMine: 'Mit meinem weiter',
    keepBoth: 'Meinen unter den anderen',
    takeTheirs: 'Mit dem anderen weiter',
  },
};
