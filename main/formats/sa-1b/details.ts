import { isFiniteNumber } from '../kit/records.ts';
import type { Attribute } from '../kit/task-data.ts';

export interface MaskPlace {
  readonly bbox: readonly [left: number, top: number, width: number, height: number];
  readonly width: number;
  readonly height: number;
}

/**
 * SA-1B's data about how a mask was created. Shapes have no such fields: values that an export would not write anyway
 * become attributes of the same name, with JSON as value.
 */
export const detailNames = ['stability_score', 'point_coords', 'crop_box'] as const;
type Details = Record<(typeof detailNames)[number], unknown>;

/** Default details of a mask, with its center as the prompt point. */
function usualDetails({ bbox: [left, top, boxWidth, boxHeight], width, height }: MaskPlace): Details {
  return {
    stability_score: 1,
    point_coords: [[left + boxWidth / 2, top + boxHeight / 2]],
    crop_box: [0, 0, width, height],
  };
}

/** Attributes for the details of a record that differ from the defaults. */
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

/** Details from attributes, merged with the defaults. Calls `unusable` with the names of invalid attributes. */
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
