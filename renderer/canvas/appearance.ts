import { hexToColor, labelPalette, type RgbColor } from '../../preload/contract/colors.ts';
import type { Appearance, CanvasLabel, ShapeRecord } from './types.ts';

export const defaultAppearance: Appearance = {
  opacity: 0.08,
  selectedOpacity: 0.3,
  colorBy: 'label',
  outlineColor: null,
  showLabels: 'active',
  trackPath: true,
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

const paletteColor = (number: number): string =>
  labelPalette[Math.abs(number) % labelPalette.length] ?? unlabelledColor;

/** What colours are chosen by. A track has the colour of its shapes. */
type Coloured = Pick<ShapeRecord, 'clientId' | 'trackId' | 'labelId' | 'group'>;

/** The colour of a shape's area and, unless one is set for all, its outline. */
export function shapeColor(shape: Coloured, appearance: Appearance, labels: ReadonlyMap<number, CanvasLabel>): string {
  if (appearance.colorBy === 'instance') return paletteColor(instanceNumber(shape));
  if (appearance.colorBy === 'group') return shape.group === 0 ? ungroupedColor : paletteColor(shape.group);
  return labels.get(shape.labelId)?.color ?? unlabelledColor;
}

/** Of the client id: a server id would change the colour at the moment of saving. */
function instanceNumber(shape: Coloured): number {
  let hash = 7;
  for (const character of shape.trackId ?? shape.clientId) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) | 0;
  return hash;
}

/** `#rrggbb` with an alpha from 0 to 1. */
export function withAlpha(color: string, alpha: number): string {
  const [red, green, blue] = colorChannels(color);
  return `rgba(${red}, ${green}, ${blue}, ${alpha})`;
}

export const colorChannels = (color: string): RgbColor => hexToColor(color.slice(0, 7)) ?? [154, 164, 178];
