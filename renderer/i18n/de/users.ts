import type { users as texts } from '../en-users.ts';
import type { Translation } from './translation.ts';

export const users: Translation<typeof texts> = {
  users: {
    title: 'Personen',
    search: 'Name, Benutzername oder E-Mail',
    nothingFound: 'Niemand hier heißt so.',
    person: 'Person',
    role: 'Rolle',
    roles: { admin: 'Verwalter', user: 'Mitglied', worker: 'Bearbeiter' },
    roleHints: {
      admin: 'Sieht und ändert alles, auch Personen, Einstellungen und Sicherungen.',
      user: 'Legt Projekte und Aufgaben an und arbeitet an Eigenem und Geteiltem.',
      worker: 'Arbeitet an den Jobs, die zugewiesen werden.',
    },
    lastSeen: 'Anmeldung',
    never: 'nie',
    deactivated: 'Gesperrt',
    more: 'Mehr zu {{name}}',
    new: 'Neue Person',
    create: 'Anlegen',
    newText: 'Ein Passwort wird erzeugt und einmal gezeigt. Nichts wird verschickt: Geben Sie es selbst weiter.',
    password: 'Passwort',
    passwordTitle: 'Passwort von {{name}}',
    passwordText: 'Kopieren Sie es jetzt: Es wird nur dieses Mal gezeigt, aufbewahrt wird nur sein Hash.',
    passwordDone: 'Ich habe es kopiert',
    reset: 'Neues Passwort',
    resetTitle: 'Ein neues Passwort für {{name}}?',
    resetText: 'Es wird erzeugt und einmal gezeigt. Das alte und alle Sitzungen des Kontos enden jetzt.',
    revoke: 'Auch die Zugriffstoken widerrufen',
    revokeHint: 'Programme, die damit arbeiten, werden abgewiesen, bis sie neue bekommen.',
    deactivate: 'Sperren',
    deactivateTitle: '{{name}} sperren?',
    deactivateText:
      'Die Person kann sich nicht mehr anmelden, und was offen ist, endet jetzt. Arbeit und Name bleiben.',
    activate: 'Wieder zulassen',
    delete: 'Löschen',
    deleteTitle: 'Das Konto von {{name}} löschen?',
    deleteText:
      'Das lässt sich nicht zurücknehmen. Projekte, Aufgaben und Annotationen bleiben, ohne diesen Besitzer oder Zuständigen. Sperren behält den Namen.',
    deleted: 'Das Konto von {{name}} wurde gelöscht.',
    notChanged: '{{name}} wurde nicht wie gewünscht geändert',
    footer:
      'Wer gesperrt ist, kann sich nicht anmelden; Arbeit und Name bleiben. Dem letzten Verwalter kann niemand die Rolle nehmen.',
  },
};
