import { hexToColor, labelPalette, type RgbColor } from '../../preload/contract/colors.ts';
import type { Appearance, CanvasLabel, ShapeRecord } from './types.ts';

export const defaultAppearance: Appearance = {
  opacity: 0.08,
  selectedOpacity: 0.3,
  colorBy: 'label',
  palette: 'labels',
  halo: false,
  showLabels: 'active',
  pointNames: 'active',
  texts: ['label', 'id'],
  minimap: true,
  trackPath: true,
  crosshair: true,
  brightness: 1,
  contrast: 1,
  saturation: 1,
  gamma: 1,
  equalize: false,
  smoothImage: true,
  grid: null,
  strokePx: 1.5,
  snapping: false,
  wheelScrolls: false,
};

const unlabelledColor = '#9aa4b2';
const ungroupedColor = '#d5dae1';

/**
 * Palette of Okabe and Ito without black and with a lighter blue: distinguishable for colour-blind users and visible on
 * dark images.
 */
export const safePalette: readonly string[] = [
  '#e69f00',
  '#56b4e9',
  '#009e73',
  '#f0e442',
  '#4d7dff',
  '#d55e00',
  '#cc79a7',
  '#ffffff',
];

const paletteColor = ({ palette }: Pick<Appearance, 'palette'>, number: number): string => {
  const colors = palette === 'safe' ? safePalette : labelPalette;
  return colors[Math.abs(number) % colors.length] ?? unlabelledColor;
};

/** Members that determine a colour. A track has the colour of its shapes. */
export type Coloured = Pick<ShapeRecord, 'clientId' | 'trackId' | 'labelId' | 'group'>;

/** Colour of the fill and, unless one is set for all, the outline. */
export function shapeColor(shape: Coloured, appearance: Appearance, labels: ReadonlyMap<number, CanvasLabel>): string {
  if (appearance.colorBy === 'instance') return paletteColor(appearance, instanceNumber(shape));
  if (appearance.colorBy === 'group') return shape.group === 0 ? ungroupedColor : paletteColor(appearance, shape.group);
  if (appearance.colorBy === 'track')
    return shape.trackId === undefined ? ungroupedColor : paletteColor(appearance, instanceNumber(shape));
  return labelColorOf(shape.labelId, appearance, labels);
}

/** Colour of the label, or of its position in the selected palette. */
function labelColorOf(
  id: number,
  appearance: Pick<Appearance, 'palette'>,
  labels: ReadonlyMap<number, CanvasLabel>,
): string {
  const label = labels.get(id);
  if (appearance.palette === 'safe' && label !== undefined) return paletteColor(appearance, label.order ?? id);
  return label?.color ?? unlabelledColor;
}

/** Uses the client id, because a server id would change the colour on save. */
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
