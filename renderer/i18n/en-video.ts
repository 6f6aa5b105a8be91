/** Texts of the settings of videos. */
export const videoSettings = {
  videoSettings: {
    title: 'Video',
    text: 'Videos are read with ffmpeg and ffprobe, which are programs of their own. Images need neither.',
    none: 'ffmpeg or ffprobe was not found, so videos cannot be read. Install ffmpeg, or say below where it is.',
    place: 'Where ffmpeg is',
    placeHint: 'The program, or the folder that it and ffprobe are in. Empty: those on the PATH.',
    save: 'Save',
    fromPath: 'Use those on the PATH',
    saved: 'Videos are read with this ffmpeg from now on.',
  },
} as const;
