import type { AttributeComparison } from '../../../preload/contract/schema/quality-requirements.ts';
import type { ComparedObject } from '../../comparison/compared-object.ts';

/** Number of characters to insert, delete or replace. */
function editDistance(first: string, second: string): number {
  const [from, to] = [Array.from(first), Array.from(second)];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, character] of from.entries()) {
    const next = [index + 1];
    for (const [at, other] of to.entries())
      next.push(Math.min(next[at]! + 1, row[at + 1]! + 1, row[at]! + Number(character !== other)));
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Similarity of texts from 0 to 1. */
function textSimilarity(first: string, second: string): number {
  const longest = Math.max(Array.from(first).length, Array.from(second).length);
  return longest === 0 ? 1 : 1 - editDistance(first, second) / longest;
}

/** Names of the attributes whose values differ by the rules of a requirement. */
export function mismatchedAttributes(
  truth: ComparedObject,
  object: ComparedObject,
  { default: usual, rules }: AttributeComparison,
  names: ReadonlyMap<number, string>,
): string[] {
  const byId = new Map<unknown, AttributeComparison['rules'][number]>(rules.map((rule) => [rule.spec_id, rule]));
  const ids = [...new Set([...truth.attributes.keys(), ...object.attributes.keys()])];
  return ids.flatMap((id) => {
    const rule = byId.get(id);
    if (!(rule === undefined ? usual.enabled : rule.enabled)) return [];
    const [wanted, found] = [truth.attributes.get(id), object.attributes.get(id)];
    if (wanted === found) return [];
    const isSimilar =
      (rule?.comparator ?? usual.comparator) === 'levenshtein' &&
      wanted !== undefined &&
      found !== undefined &&
      textSimilarity(String(wanted), String(found)) >= (rule?.threshold ?? usual.threshold ?? 1);
    return isSimilar ? [] : [id === 'occluded' ? id : (names.get(id) ?? `#${id}`)];
  });
}
