import type { objectList as texts } from '../en-object-list.ts';
import type { Translation } from './translation.ts';

export const objectList: Translation<typeof texts> = {
  objectList: {
    search: 'Objekte suchen',
    searchHint: 'Label, #Id, Wert, 0.5..0.7, G2',
    clear: 'Suche leeren',
    nothing: 'Kein Objekt auf diesem Frame passt zu „{{text}}“.',
    groupBy: 'Gruppieren',
    by: { none: 'Ungruppiert', label: 'Nach Label', layer: 'Nach Ebene', track: 'Nach Art', group: 'Nach Gruppe' },
    layer: 'Ebene {{layer}}',
    tracks: 'Tracks',
    shapes: 'Formen',
    tags: 'Tags',
    noGroup: 'In keiner Gruppe',
    id: 'Id',
    score: 'Sicherheit',
    occluded: 'Verdeckt',
    pinned: 'Angeheftet',
    locked: 'Gesperrt',
    hidden: 'Verborgen',
  },
};
