import type { CanvasLabel, ShapeRecord, ShapeTextPart } from './types.ts';

/** Longest text of attributes on the picture. */
const mostCharacters = 60;

/** What the plate beside a shape says: `car 12 red, parked 87 %`. A model's proposal always tells its score. */
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

/** A value that says nothing without its attribute's name is told with it. */
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
