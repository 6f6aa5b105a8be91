import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { countTracks, type TrackFrame } from '../../main/evaluation/measures/track-counts.ts';
import { hotaByOverlap, trackMeasures } from '../../main/evaluation/measures/track-measures.ts';
import { sharedFixtures } from './shared-fixtures.ts';

type Row = readonly [frame: number, id: number, x: number, y: number, width: number, height: number];
interface Sequence {
  readonly frames: number;
  readonly truth: readonly Row[];
  readonly results: readonly Row[];
  readonly motmetrics: Readonly<Record<string, number | null>>;
  readonly trackeval: Readonly<Record<string, number | readonly number[]>>;
}

const folder = join(sharedFixtures, 'cocoeval', 'tracks');
const sequences = readdirSync(folder).sort();

function framesOf({ frames, truth, results }: Sequence): TrackFrame[] {
  const boxes = (rows: readonly Row[]) => {
    const places = new Map<number, number>();
    for (const [, id] of rows) if (!places.has(id)) places.set(id, places.size);
    return (frame: number) =>
      rows
        .filter(([own]) => own === frame)
        .map(([, id, x, y, width, height]) => ({
          track: places.get(id) ?? -1,
          left: x,
          top: y,
          right: x + width,
          bottom: y + height,
        }));
  };
  const [truths, found] = [boxes(truth), boxes(results)];
  return Array.from({ length: frames }, (_, at) => ({ truths: truths(at + 1), results: found(at + 1) }));
}

it('has sequences', () => expect(sequences).toHaveLength(6));

it.each(sequences)('%s: equals TrackEval and motmetrics', (name) => {
  const sequence = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Sequence;
  const { counts, events } = countTracks(framesOf(sequence));
  const measures = trackMeasures(counts);
  const { trackeval, motmetrics } = sequence;
  for (const measure of ['MOTA', 'MOTP', 'IDSW', 'Frag', 'MT', 'PT', 'ML'])
    expect(measures[measure], measure).toBeCloseTo(Number(trackeval[`CLEAR.${measure}`]), 9);
  for (const measure of ['IDF1', 'IDP', 'IDR'])
    expect(measures[measure], measure).toBeCloseTo(Number(trackeval[`Identity.${measure}`]), 9);
  const steps = hotaByOverlap(counts);
  for (const measure of ['HOTA', 'DetA', 'AssA', 'DetRe', 'DetPr', 'AssRe', 'AssPr', 'LocA'] as const) {
    const expected = trackeval[`HOTA.${measure}`] as readonly number[];
    for (const [step, value] of expected.entries()) expect(steps[step]?.[measure], measure).toBeCloseTo(value, 9);
  }
  expect(measures['HOTA']).toBeCloseTo(steps.reduce((sum, { HOTA }) => sum + HOTA, 0) / 19, 9);
  expect(measures['MOTA']).toBeCloseTo(Number(motmetrics['mota']), 9);
  expect(measures['IDF1']).toBeCloseTo(Number(motmetrics['idf1']), 9);
  expect(measures['IDSW']).toBe(motmetrics['num_switches']);
  const sum = (of: 'missed' | 'extra') => events.reduce((total, event) => total + event[of], 0);
  expect([sum('missed'), sum('extra')]).toEqual([motmetrics['num_misses'], motmetrics['num_false_positives']]);
});
