/** What other windows do to the same job. */
export const others = {
  others: {
    away: 'Changes of others do not arrive',
    awayLong:
      'The service does not answer. What others change is caught up with as soon as it does; your edits are kept.',
  },
};
