import type { videoSettings as videoTexts } from '../en-video.ts';
import type { Translation } from './translation.ts';

export const videoSettings: Translation<typeof videoTexts> = {
  videoSettings: {
    title: 'Video',
    text: 'Videos werden mit ffmpeg und ffprobe gelesen, die eigene Programme sind. Bilder brauchen keines von beiden.',
    none: 'ffmpeg oder ffprobe wurde nicht gefunden, deshalb lassen sich Videos nicht lesen. Installieren Sie ffmpeg, oder geben Sie unten an, wo es ist.',
    place: 'Wo ffmpeg ist',
    placeHint: 'Das Programm, oder der Ordner, in dem es und ffprobe liegen. Leer: die aus dem PATH.',
    save: 'Speichern',
    fromPath: 'Die aus dem PATH benutzen',
    saved: 'Videos werden ab jetzt mit diesem ffmpeg gelesen.',
  },
};
