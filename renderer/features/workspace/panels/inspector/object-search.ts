import type { SceneRecord } from '../../../../canvas/types.ts';

/** Searchable texts of an object beside its record. */
export interface SearchedWords {
  readonly label: string;
  readonly others: readonly string[];
}

type Test = (record: SceneRecord, words: () => readonly string[]) => boolean;

const scoreOf = (record: SceneRecord): number | null => (record.kind === 'shape' ? record.score : null);

/**
 * Parses one word: `0.5..0.7` is a range of scores, `#12` an id, `G3` a group, anything else part of a word. A plain
 * number matches both.
 */
function readWord(word: string): Test {
  const range = /^(\d*\.?\d*)\.\.(\d*\.?\d*)$/.exec(word);
  if (range !== null) {
    const [least, most] = [Number(range[1] === '' ? 0 : range[1]), Number(range[2] === '' ? 1 : range[2])];
    return (record) => {
      const score = scoreOf(record);
      return score !== null && score >= least && score <= most;
    };
  }
  const isIn = (words: readonly string[]): boolean => words.some((one) => one.includes(word));
  const [, hash, number] = /^(#?)(\d+)$/.exec(word) ?? [];
  if (number !== undefined) {
    return ({ serverId }, words) => `${serverId}` === number || (hash === '' && isIn(words()));
  }
  const group = /^g([1-9]\d*)$/.exec(word)?.[1];
  return (record, words) => (group !== undefined && record.group === Number(group)) || isIn(words());
}

/**
 * Objects that match all typed words in label, attribute values, id, kind, source or states.
 * @param waitMessage called once per object
 */
export function searchObjects(
  records: readonly SceneRecord[],
  text: string,
  waitMessage: (record: SceneRecord) => SearchedWords,
): readonly SceneRecord[] {
  const tests = text.toLowerCase().split(/\s+/).filter(Boolean).map(readWord);
  if (tests.length === 0) return records;
  return records.filter((record) => {
    let known: readonly string[] | null = null;
    const words = (): readonly string[] => {
      if (known !== null) return known;
      const { label, others } = waitMessage(record);
      const values = record.attributes.map(({ value }) => value);
      known = [label, ...others, ...values].map((word) => word.toLowerCase());
      return known;
    };
    return tests.every((test) => test(record, words));
  });
}
