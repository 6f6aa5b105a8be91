/** Texts of the strip of frames. */
export const strip = {
  strip: {
    title: 'Frames of the job',
    toggle: 'Strip of frames: show or hide',
    deleted: 'deleted',
    issues_one: '{{count}} open issue',
    issues_other: '{{count}} open issues',
    delete: 'Delete the frame',
    restore: 'Restore the frame',
    copyName: 'Copy the file name',
  },
};
