import { isFiniteNumber } from '../kit/records.ts';
import type { Attribute } from '../kit/task-data.ts';

/** Pixels and size of the image that a mask is in. */
export interface MaskPlace {
  readonly bbox: readonly [left: number, top: number, width: number, height: number];
  readonly width: number;
  readonly height: number;
}

/**
 * What SA-1B says of how a mask was made. Masks have no such fields here: what is not as an export writes it anyway is
 * an attribute of the same name, with its JSON as value.
 */
export const detailNames = ['stability_score', 'point_coords', 'crop_box'] as const;
type Details = Record<(typeof detailNames)[number], unknown>;

/** The details of a mask that nobody knows anything about: a point in its middle stands for the prompt. */
function usualDetails({ bbox: [left, top, boxWidth, boxHeight], width, height }: MaskPlace): Details {
  return {
    stability_score: 1,
    point_coords: [[left + boxWidth / 2, top + boxHeight / 2]],
    crop_box: [0, 0, width, height],
  };
}

/** Attributes for the details that a record states and that are not the usual ones. */
export function detailAttributes(record: Readonly<Record<string, unknown>>, place: MaskPlace | undefined): Attribute[] {
  const usual = place && usualDetails(place);
  return detailNames.flatMap((name) => {
    const value = record[name];
    if (value === undefined || value === null) return [];
    const text = JSON.stringify(value);
    return usual && text === JSON.stringify(usual[name]) ? [] : [{ name, value: text }];
  });
}

const isNumbers = (value: unknown): value is number[] => Array.isArray(value) && value.every(isFiniteNumber);

function isDetail(name: keyof Details, value: unknown): boolean {
  if (name === 'stability_score') return isFiniteNumber(value);
  if (name === 'crop_box') return isNumbers(value) && value.length === 4;
  return Array.isArray(value) && value.every((point) => isNumbers(point) && point.length === 2);
}

/** The details that attributes state, over the usual ones; names of attributes that are none go to `unusable`. */
export function detailsOf(
  attributes: readonly Attribute[],
  place: MaskPlace,
  unusable: (name: string) => void,
): Details {
  const details = usualDetails(place);
  for (const name of detailNames) {
    const stated = attributes.find((attribute) => attribute.name === name);
    if (!stated || stated.value === '') continue;
    const value = parsed(stated.value);
    if (isDetail(name, value)) details[name] = value;
    else unusable(name);
  }
  return details;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
