import { expect, it } from 'vitest';
import { importOptions } from '../../../main/cli/import-options.ts';

const optionsOf = (...stated: Parameters<typeof importOptions>): unknown => JSON.parse(importOptions(...stated));

it('the options of an import keep masks by default, in either spelling', () => {
  expect(optionsOf({})).toEqual({ masks: 'keep' });
  expect(optionsOf({ masks: 'polygons' })).toEqual({ masks: 'polygons' });
  expect(optionsOf({ option: ['conv_mask_to_poly=true'] })).toEqual({ conv_mask_to_poly: true });
});
