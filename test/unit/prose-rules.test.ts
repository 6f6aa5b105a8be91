import { describe, expect, it } from 'vitest';
import { faultsOf, whatShares } from '../../scripts/prose-rules.ts';

describe('prose rules', () => {
  it.each([
    ['Limner begins anew', 'screen'],
    ['Back up by itself', 'screen'],
    ['Nobody has begun it.', 'page'],
    ['The file lies in the folder.', 'message'],
    ['A file of weights', 'screen'],
    ['The user is told why.', 'comment'],
    ['Imports a data set.', 'page'],
  ] as const)('finds a fault in “%s”', (text, kind) => {
    expect(faultsOf(text, kind)).toHaveLength(1);
  });

  it.each([
    ['Automatic backups', 'screen'],
    ['Limner restarts', 'screen'],
    ['Cannot read labels.csv: line 12 has 5 columns, expected 4. Fix the line or choose another format.', 'message'],
    ['Dataset', 'screen'],
    ['The option `by itself` is a name, not prose.', 'page'],
  ] as const)('finds none in “%s”', (text, kind) => {
    expect(faultsOf(text, kind)).toEqual([]);
  });

  it('lets a docstring begin with its noun, and a line comment with any word', () => {
    expect(faultsOf('Of the program.', 'comment', true)).toHaveLength(1);
    expect(faultsOf('Program version.', 'comment', true)).toEqual([]);
    expect(faultsOf('Of two equal names the first wins.', 'comment')).toEqual([]);
  });

  it('counts the words of a sentence in screens and pages, and not in comments', () => {
    const long = `${'word '.repeat(31).trim()}.`;
    expect(faultsOf(long, 'page')).toHaveLength(1);
    expect(faultsOf(`${'word '.repeat(20)}. ${'word '.repeat(20)}.`, 'screen')).toEqual([]);
    expect(faultsOf(long, 'comment')).toEqual([]);
  });

  it('measures how many comments contain and begin with “what”', () => {
    expect(whatShares(['What it is', 'Says what', 'Nothing', 'None'])).toEqual({ contain: 50, begin: 25 });
  });
});
