/** Texts of the guide beside the picture. */
export const guide = {
  guide: {
    title: 'Guide',
    toggle: 'Show or close the guide',
    loading: 'The guide is being loaded',
    failed: 'The guide could not be loaded',
    empty: 'The guide of this job has no text yet.',
    none: 'This job has no guide.',
  },
};
