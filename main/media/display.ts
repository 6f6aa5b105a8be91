import type { ValueWindow } from '../../preload/geometry/value-window.ts';
import { invalidRequest } from '../platform/errors.ts';
import type { SampleLayout } from './headers/image-header.ts';
import type { ImageProbe } from './probe.ts';

/** Display of an image with more bands or values than a screen can show: the chosen bands and value range. */
export interface Display {
  /** One band as gray, or three as red, green and blue; counted from 0. */
  readonly bands?: readonly number[];
  /** Percentiles that become black and white. */
  readonly window?: ValueWindow;
}

export interface DisplayFacts {
  readonly bands: number;
  readonly bits: number;
  readonly kind: SampleLayout['kind'];
  readonly shown: readonly number[];
  readonly hasWindow: boolean;
}

export const screenBands = 3;

/** Red, green and blue if a file has three bands or more, otherwise the first band as gray. */
export function defaultBands({ bands }: Pick<SampleLayout, 'bands'>): readonly number[] {
  return bands >= screenBands ? [0, 1, 2] : [0];
}

export function displayFacts({ format, bitsPerChannel, samples }: ImageProbe): DisplayFacts {
  const kind = samples?.kind ?? 'unsigned';
  const hasChoice = samples?.hasOwnReader === true;
  const facts = { bits: bitsPerChannel, kind, hasWindow: bitsPerChannel > 8 || kind !== 'unsigned' };
  if (!hasChoice) return { ...facts, bands: 1, shown: [0], hasWindow: format === 'png' && bitsPerChannel > 8 };
  return { ...facts, bands: samples.bands, shown: defaultBands(samples) };
}

/** Part of file names in the cache. Empty for the default display. */
export function displayKey({ bands, window }: Display = {}): string {
  const parts = [bands === undefined ? '' : `b${bands.join('-')}`, window === undefined ? '' : `w${window.join('-')}`];
  return parts.filter((part) => part !== '').join('_');
}

/** Throws `invalid` for bands that the image does not have, and for a window if the image has no value range. */
export function requireDisplay(probe: ImageProbe, { bands, window }: Display, name: string): void {
  const facts = displayFacts(probe);
  const unknown = bands?.find((band) => band >= facts.bands);
  if (unknown !== undefined) {
    throw invalidRequest(`${name} has no band ${unknown}. Choose bands from 0 to ${facts.bands - 1}.`);
  }
  if (window !== undefined && !facts.hasWindow) {
    throw invalidRequest(`${name} has ${facts.bits} bits per channel, and all are displayed. Omit the window.`);
  }
}
