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
  },
};
