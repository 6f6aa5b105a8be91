/** Texts of the timeline. */
export const timeline = {
  timeline: {
    title: 'Timeline',
    toggle: 'Timeline: show or hide',
    filter: 'Filter tracks',
    follow: 'Follow the frame',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    whole: 'The whole job',
    close: 'Close the timeline',
    resize: 'Height of the timeline',
    ruler: 'Frames: drag to go through them, with Shift to choose a part to play',
    rows: 'Tracks over time',
    none: 'No tracks yet. Switch “Draw as track” on, draw a shape, and go on to another frame.',
    noneMatch: 'No track is called so.',
    moved: 'Moved a keyframe',
    copied: 'Copied a keyframe',
  },
};
