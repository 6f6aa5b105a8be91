import { expect, it } from 'vitest';
import { driveEditor } from './support/editor-driver.ts';

it('returns from zoom to the tool that was used before zoom and pan', () => {
  const hand = driveEditor();
  hand.tool('polygon');
  hand.tool('pan');
  hand.tool('zoom');
  hand.drag([10, 10], [60, 60]);
  expect(hand.editor.tools.current().id).toBe('polygon');
});
