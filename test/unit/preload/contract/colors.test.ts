import { describe, expect, it } from 'vitest';
import {
  colorToHex,
  hexToColor,
  labelColor,
  labelPalette,
  vocColor,
  vocColormap,
} from '../../../../preload/contract/colors.ts';

describe('the PASCAL VOC colormap', () => {
  it('has the known first colours', () => {
    expect(vocColormap(8)).toEqual([
      [0, 0, 0],
      [128, 0, 0],
      [0, 128, 0],
      [128, 128, 0],
      [0, 0, 128],
      [128, 0, 128],
      [0, 128, 128],
      [128, 128, 128],
    ]);
    expect(vocColor(15)).toEqual([192, 128, 128]);
    expect(vocColor(255)).toEqual([224, 224, 192]);
  });

  it('has 256 different colours', () => {
    expect(new Set(vocColormap().map(colorToHex)).size).toBe(256);
  });
});

describe('colours of labels', () => {
  it('are read and written as #rrggbb', () => {
    expect(hexToColor('#33DDff')).toEqual([51, 221, 255]);
    expect(colorToHex([51, 221, 255])).toBe('#33ddff');
    expect(hexToColor('33ddff')).toBeNull();
    expect(hexToColor('#33ddf')).toBeNull();
  });

  it('are taken from the palette in order, the first free one', () => {
    expect(labelColor('car')).toBe(labelPalette[0]);
    expect(labelColor('car', [labelPalette[0]!.toUpperCase(), labelPalette[2]!])).toBe(labelPalette[1]);
    expect(labelColor('Background', [])).toBe('#000000');
  });

  it('stay different and the same on every run, for many labels', () => {
    const give = (): string[] => {
      const used: string[] = [];
      for (let index = 0; index < 500; index += 1) used.push(labelColor(`label ${index}`, used));
      return used;
    };
    const colors = give();
    expect(new Set(colors).size).toBe(500);
    expect(colors.every((color) => /^#[0-9a-f]{6}$/u.test(color))).toBe(true);
    expect(give()).toEqual(colors);
  });
});

it('the palette has at least 30 different colours', () => {
  expect(labelPalette.length).toBeGreaterThanOrEqual(30);
  expect(new Set(labelPalette).size).toBe(labelPalette.length);
});
