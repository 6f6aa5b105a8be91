/** What other windows do to the same job. */
export const others = {
  others: {
    away: 'Changes of others do not arrive',
    awayLong:
      'The service does not answer. What others change is caught up with as soon as it does; your edits are kept.',
    clashes_one: 'Changed twice: {{count}} object',
    clashes_other: 'Changed twice: {{count}} objects',
    clashesWhat: 'Somebody else changed it while you did. Nothing of either is lost before you choose.',
    clash: '{{name}}, frame {{frame}}',
    track: 'Track {{name}}',
    goThere: 'Go to frame {{frame}}',
    differs: 'Different: {{what}}',
    youDeleted: 'You deleted it; elsewhere it was changed.',
    theyDeleted: 'You changed it; elsewhere it was deleted.',
    picture: 'Both outlines: mine drawn through, theirs dashed',
    mine: 'Mine',
    theirs: 'Theirs',
    both: 'Both',
    forAll: 'For all',
    parts: {
      place: 'place or outline',
      label: 'label',
      attributes: 'attributes',
      marks: 'marks',
      order: 'order',
      group: 'group',
    },
  },
};
