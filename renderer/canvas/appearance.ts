import type { Appearance, CanvasLabel, ShapeRecord } from './types.ts';

export const defaultAppearance: Appearance = {
  opacity: 0.08,
  selectedOpacity: 0.3,
  colorBy: 'label',
  outlineColor: null,
  showLabels: 'active',
  crosshair: true,
  crosshairColor: '#ffffff',
  brightness: 1,
  contrast: 1,
  saturation: 1,
  gamma: 1,
  smoothImage: true,
  grid: null,
  handleSizePx: 8,
  strokePx: 1.5,
  clampToImage: true,
};

const unlabelledColor = '#9aa4b2';
const ungroupedColor = '#d5dae1';

/** Thirty colours in the order in which they are given to instances and groups, neighbours far apart in hue. */
const palette: readonly string[] = Array.from({ length: 30 }, (_, place) => {
  const hue = (place * 137.508 + 12) % 360;
  const lightness = [0.62, 0.54, 0.7][place % 3] ?? 0.6;
  return hexOfHsl(hue, 0.78, lightness);
});

function hexOfHsl(hue: number, saturation: number, lightness: number): string {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number): string => {
    const k = (offset + hue / 30) % 12;
    const value = lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${channel(0)}${channel(8)}${channel(4)}`;
}

const paletteColor = (number: number): string => palette[Math.abs(number) % palette.length] ?? unlabelledColor;

/** The colour of a shape's area and, unless one is set for all, its outline. */
export function shapeColor(
  shape: ShapeRecord,
  appearance: Appearance,
  labels: ReadonlyMap<number, CanvasLabel>,
): string {
  if (appearance.colorBy === 'instance') return paletteColor(instanceNumber(shape));
  if (appearance.colorBy === 'group') return shape.group === 0 ? ungroupedColor : paletteColor(shape.group);
  return labels.get(shape.labelId)?.color ?? unlabelledColor;
}

/** Of the client id: a server id would change the colour at the moment of saving. */
function instanceNumber(shape: ShapeRecord): number {
  let hash = 7;
  for (const character of shape.trackId ?? shape.clientId) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) | 0;
  return hash;
}

/** `#rrggbb` with an alpha from 0 to 1. */
export function withAlpha(color: string, alpha: number): string {
  const [red, green, blue] = colorChannels(color);
  return `rgba(${red}, ${green}, ${blue}, ${alpha})`;
}

export function colorChannels(color: string): [number, number, number] {
  const value = Number.parseInt(color.slice(1, 7), 16);
  return Number.isNaN(value) ? [154, 164, 178] : [value >> 16, (value >> 8) & 255, value & 255];
}
