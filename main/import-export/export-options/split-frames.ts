import { createHash } from 'node:crypto';
import type { DatasetExportOptions } from '../../../preload/contract/schema/export-options.ts';

export type Split = NonNullable<DatasetExportOptions['split']>;

/** Frames that must not be separated. */
export interface SplitUnit {
  /** Independent of task numbers and equal in every run, because the random order depends on it. */
  readonly key: string;
  frames: number;
  /** Number of objects by label, for stratified splits. */
  readonly labels: Map<string, number>;
}

interface Part {
  readonly name: string;
  readonly share: number;
  frames: number;
  readonly labels: Map<string, number>;
}

const placeByChance = (seed: number, key: string): string =>
  createHash('sha1').update(`${seed}\u0000${key}`).digest('hex');

/**
 * Part for each unit by key. Random: the order depends only on the seed, and the part that lacks most of its fraction
 * takes the next unit. Stratified: the rarest remaining label is placed first, in the part that lacks most of that
 * label.
 */
export function splitUnits(
  units: readonly SplitUnit[],
  { parts, seed = 0, stratified = false }: Split,
): Map<string, string> {
  const whole = parts.reduce((sum, { share }) => sum + share, 0);
  const targets = parts.map(({ name, share }): Part => ({ name, share: share / whole, frames: 0, labels: new Map() }));
  const all = units.reduce((sum, { frames }) => sum + frames, 0);
  const places = new Map(units.map((unit) => [unit, placeByChance(seed, unit.key)]));
  const order = units.toSorted(
    (a, b) => b.frames - a.frames || ((places.get(a) ?? '') < (places.get(b) ?? '') ? -1 : 1),
  );
  const found = new Map<string, string>();
  const lack = (part: Part): number => part.share * all - part.frames;

  function give(unit: SplitUnit, part: Part): void {
    found.set(unit.key, part.name);
    part.frames += unit.frames;
    for (const [label, count] of unit.labels) part.labels.set(label, (part.labels.get(label) ?? 0) + count);
  }
  const takes = (need: (part: Part) => number): Part => {
    let [best] = targets;
    for (const part of targets.slice(1)) {
      const more = need(part) - need(best!);
      if (more > 1e-9 || (Math.abs(more) <= 1e-9 && lack(part) > lack(best!) + 1e-9)) best = part;
    }
    // A split has at least one part.
    return best!;
  };

  if (stratified) {
    const totals = new Map<string, number>();
    const having = new Map<string, SplitUnit[]>();
    for (const unit of order) {
      for (const [label, count] of unit.labels) {
        totals.set(label, (totals.get(label) ?? 0) + count);
        const list = having.get(label);
        if (list) list.push(unit);
        else having.set(label, [unit]);
      }
    }
    const rarestFirst = [...having].toSorted(([a, one], [b, two]) => one.length - two.length || (a < b ? -1 : 1));
    for (const [label, list] of rarestFirst) {
      const total = totals.get(label) ?? 0;
      for (const unit of list) {
        if (found.has(unit.key)) continue;
        give(
          unit,
          takes((part) => part.share * total - (part.labels.get(label) ?? 0)),
        );
      }
    }
  }
  for (const unit of order) if (!found.has(unit.key)) give(unit, takes(lack));
  return found;
}
