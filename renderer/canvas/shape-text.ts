import type { CanvasLabel, ShapeRecord, ShapeTextPart } from './types.ts';

const mostCharacters = 60;

/** Text of the chip beside a shape: `car 12 red, parked 87 %`. A proposal always shows its score. */
export function shapeText(shape: ShapeRecord, label: CanvasLabel | undefined, parts: readonly ShapeTextPart[]): string {
  const isSure = shape.suggestion !== true || shape.score >= 1;
  const score = `${Math.round(shape.score * 100)}%`;
  const texts: Readonly<Record<ShapeTextPart, string>> = {
    id: shape.serverId === undefined ? '' : String(shape.serverId),
    label: label?.name ?? shape.type,
    attributes: parts.includes('attributes') ? attributeText(shape, label) : '',
    score: shape.score < 1 || shape.source !== 'manual' ? score : '',
    source: shape.source,
  };
  const chosen = parts.map((part) => texts[part]);
  return [...chosen, isSure || parts.includes('score') ? '' : score].filter((text) => text !== '').join(' ');
}

/** Adds the attribute's name to values that are unclear without it. */
function attributeText(shape: ShapeRecord, label: CanvasLabel | undefined): string {
  const values = shape.attributes.flatMap(({ spec_id, value }) => {
    const name = label?.attributeNames?.get(spec_id) ?? '';
    if (value === '' || value === 'false') return [];
    if (value === 'true') return [name];
    return [/^[\d.]+$/.test(value) ? `${name} ${value}` : value];
  });
  const text = values.join(', ');
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters - 1)}…` : text;
}
