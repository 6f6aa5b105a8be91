/** Texts of the list of objects beside the picture. */
export const objectList = {
  objectList: {
    search: 'Search objects',
    searchHint: 'Label, #id, value, 0.5..0.7, G2',
    clear: 'Clear the search',
    nothing: 'No object on this frame fits “{{text}}”.',
    groupBy: 'Group by',
    by: { none: 'Not grouped', label: 'By label', layer: 'By layer', track: 'By kind', group: 'By group' },
    layer: 'Layer {{layer}}',
    tracks: 'Tracks',
    shapes: 'Shapes',
    tags: 'Tags',
    noGroup: 'In no group',
    id: 'Id',
    score: 'Score',
    occluded: 'Occluded',
    pinned: 'Pinned',
    locked: 'Locked',
    hidden: 'Hidden',
  },
};
