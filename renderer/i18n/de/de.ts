import type { en } from '../en.ts';
import { actions } from './actions.ts';
import { analytics } from './analytics.ts';
import { annotate } from './annotate.ts';
import { assist } from './assist.ts';
import { canvas } from './canvas.ts';
import { editing } from './editing.ts';
import { evaluations } from './evaluations.ts';
import { exportTexts } from './export.ts';
import { find } from './find.ts';
import { git } from './git.ts';
import { jobs } from './jobs.ts';
import { lists } from './lists.ts';
import { models } from './models.ts';
import { modes } from './modes.ts';
import { organizations } from './organizations.ts';
import { pages } from './pages.ts';
import { player } from './player.ts';
import { settings } from './settings.ts';
import { storage } from './storage.ts';
import type { Translation } from '../text-key.ts';
import { webhooks } from './webhooks.ts';
import { work } from './work.ts';

/** German texts. */
export const de: Translation<typeof en> = {
  app: {
    name: 'Limner',
    navigation: 'Hauptnavigation',
    skip: 'Zum Inhalt springen',
    requestsRunning: '{{number}} in Arbeit',
    requestsFailed: '{{number}} fehlgeschlagen',
    projects: 'Projekte',
    tasks: 'Aufgaben',
    requests: 'Vorgänge',
    jobs: 'Jobs',
    webhooks: 'Webhooks',
    models: 'Modelle',
    analytics: 'Auswertung',
    settings: 'Einstellungen',
    organizations: 'Organisationen',
    help: 'Tastatur und Hilfe',
    palette: 'Suche und Befehle',
    theme: 'Farbschema',
    themeLight: 'Hell',
    themeDark: 'Dunkel',
    themeAuto: 'Wie das System',
    signOut: 'Abmelden',
    loading: 'Wird geladen',
    goneTitle: 'Das ist nicht hier',
    goneText: 'Es wurde vielleicht gelöscht, oder es gehört zu Arbeit, die Sie nicht sehen dürfen.',
    notFoundTitle: 'Diese Seite gibt es nicht',
    notFoundText: 'Die Adresse ist vielleicht alt, oder was sie zeigte, wurde gelöscht.',
    toTasks: 'Zu den Aufgaben',
  },
  common: {
    cancel: 'Abbrechen',
    close: 'Schließen',
    save: 'Sichern',
    delete: 'Löschen',
    retry: 'Noch einmal versuchen',
    name: 'Name',
    more: 'Mehr',
    create: 'Anlegen',
    showPassword: 'Passwort zeigen oder verbergen',
    rename: 'Umbenennen',
    download: 'Herunterladen',
    copy: 'Kopieren',
    copied: 'Kopiert',
    back: 'Zurück',
    loadFailed: 'Das ließ sich nicht laden',
    number: {
      notNumber: 'Geben Sie eine Zahl ein.',
      whole: 'Geben Sie eine ganze Zahl ein.',
      between: 'Geben Sie eine Zahl von {{min}} bis {{max}} ein.',
      least: 'Geben Sie {{min}} oder mehr ein.',
      most: 'Geben Sie {{max}} oder weniger ein.',
      step: 'Geben Sie ein Vielfaches von {{step}} ein, beginnend bei {{min}}.',
    },
  },
  connection: {
    lost: 'Limners Dienst antwortet nicht. Änderungen bleiben hier und werden gesichert, sobald er wieder da ist.',
  },
  crash: {
    title: 'Dieser Bildschirm funktioniert nicht mehr',
    missingTitle: 'Dieser Bildschirm wurde nicht geladen',
    missing: 'Ein Teil von Limner ließ sich nicht holen.',
    missingText:
      'Der Dienst wurde vielleicht beendet, oder Limner wurde aktualisiert, während dieses Fenster offen war. Es ist nichts verloren. Laden Sie neu, um weiterzumachen.',
    text: 'Was gesichert war, ist sicher, und noch nicht gesendete Änderungen liegen in diesem Browser. Laden Sie neu, um weiterzumachen.',
    reload: 'Neu laden',
    details: 'Einzelheiten für einen Bericht',
  },
  signIn: {
    title: 'Bei Limner anmelden',
    text: 'Limner läuft auf diesem Rechner. Der Link, den „limner serve“ ausgibt, meldet Sie ohne Passwort an.',
    username: 'Benutzername',
    password: 'Passwort',
    submit: 'Anmelden',
  },
  palette: {
    placeholder: 'Aufgaben, Jobs, Labels, Projekte, Befehle (> nur Befehle, # nur Labels)',
    nothing: 'Nichts gefunden',
    searching: 'Wird gesucht…',
    failed: 'Der Dienst hat auf die Suche nicht geantwortet: {{reason}} Befehle werden ohne ihn gefunden.',
    job: 'Job {{id}}',
    frames: 'Bilder {{first}} bis {{last}}',
    goTo: 'Gehe zu',
    appearance: 'Darstellung',
    actions: 'Auf diesem Bildschirm',
  },
  drop: {
    title: 'Loslassen, um eine Aufgabe anzulegen',
    text: 'Bilder, ein Ordner mit Bildern, ein Video oder ein Archiv (zip, tar)',
  },
  help: {
    title: 'Tastatur und Hilfe',
    intro: 'Tasten des Annotierens. Auf jedem Bildschirm findet Strg+K Seiten und Befehle.',
    introElsewhere:
      'Strg+K findet auf jedem Bildschirm Seiten und Befehle. Der Bildschirm zum Annotieren listet hier seine eigenen Tasten auf.',
    groups: {
      frame: 'Frames',
      find: 'Finden',
      tools: 'Werkzeuge',
      draw: 'Beim Zeichnen',
      label: 'Labels',
      labelKeys: 'Labels nach Namen',
      edit: 'Bearbeiten',
      object: 'Objekte',
      player: 'Abspielen',
      track: 'Tracks',
      model: 'Modelle',
      view: 'Ansicht',
      file: 'Datei',
      mode: 'Modi',
      other: 'Andere',
    },
    search: 'Tasten und Befehle suchen',
    nothing: 'Keine Taste und kein Befehl passt zu „{{text}}“.',
    pointerTitle: 'Zeiger',
    pointer: {
      wheel: 'Rad',
      wheelDoes: 'Zum Zeiger zoomen',
      pan: 'Leertaste und ziehen, oder mittlere Taste',
      panDoes: 'Bild verschieben',
      rectangle: 'Ziehen, oder zwei Ecken anklicken',
      rectangleDoes: 'Rechteck oder Ellipse zeichnen',
      polygon: 'Jeden Punkt anklicken; Doppelklick oder N',
      polygonDoes: 'Polygon, Linienzug oder Punkte zeichnen und abschließen',
      undoPoint: 'Rechte Taste beim Zeichnen',
      undoPointDoes: 'Letzten Punkt entfernen',
      vertex: 'Einen Punkt ziehen',
      vertexDoes: 'Punkt der gewählten Form verschieben',
      vertexAdd: 'Auf eine Kante einer gewählten Form klicken',
      vertexAddDoes: 'Der gewählten Form einen Punkt hinzufügen',
      vertexDelete: 'Alt und auf einen Punkt klicken',
      vertexDeleteDoes: 'Punkt der gewählten Form löschen',
      freehand: 'Umschalt halten beim Zeichnen von Punkten',
      freehandDoes: 'Frei zeichnen',
      angle: 'Strg halten beim Zeichnen von Punkten',
      angleDoes: 'Linie in Schritten von 45° halten',
      redraw: 'Umschalt und einen Punkt anklicken, dann einen anderen',
      redrawDoes: 'Umriss zwischen zwei Punkten neu zeichnen',
      rotate: 'Den Griff über einem Rechteck ziehen',
      rotateDoes: 'Drehen; mit Umschalt in Schritten von 15°',
      menu: 'Rechte Taste auf einem Objekt, einem Punkt oder dem Frame',
      menuDoes: 'Dessen Menü öffnen',
    },
    files:
      'Ziehen Sie jederzeit Bilder, einen Ordner, ein Archiv oder ein Video auf das Fenster: Eine Aufgabe wird angelegt und geöffnet.',
  },
  ...actions,
  ...analytics,
  ...annotate,
  ...assist,
  ...canvas,
  ...editing,
  ...evaluations,
  ...exportTexts,
  ...find,
  ...git,
  ...jobs,
  ...lists,
  ...models,
  ...modes,
  ...organizations,
  ...pages,
  ...player,
  ...settings,
  ...storage,
  ...webhooks,
  ...work,
};
