import type { Shortcut } from '../../canvas/shortcuts.ts';

export type KeyChanges = Readonly<Record<string, readonly Shortcut[]>>;

export const presetIds = ['cvat', 'labelImg', 'design'] as const;
export type PresetId = (typeof presetIds)[number];

/**
 * A preset's changes of the default keys, which are those of CVAT 2.73. Codes name positions of keys: `KeyA` is the Q
 * of a French keyboard.
 */
export const presets: Readonly<Record<PresetId, KeyChanges>> = {
  cvat: {},
  /** labelImg 1.8: A and D change the image, W draws a box. */
  labelImg: {
    'frame.previous': ['KeyA'],
    'frame.next': ['KeyD'],
    'tool.rectangle': ['KeyW'],
    'view.fit': ['Mod+KeyF', 'Home'],
    'object.hideAll': ['Mod+KeyH', 'KeyT KeyH'],
  },
  /** V, H, R, P, L, O, B, E as in design programs; the actions of these keys move to Alt, or Ctrl and Shift. */
  design: {
    'tool.select': ['KeyV'],
    'tool.rectangle': ['KeyR', 'KeyW'],
    'tool.polygon': ['KeyP'],
    'tool.polyline': ['KeyL'],
    'tool.ellipse': ['KeyO'],
    'tool.brush': ['KeyB'],
    'tool.eraser': ['KeyE'],
    'frame.previous': ['KeyA', 'PageUp'],
    'frame.next': ['KeyD', 'PageDown'],
    'frame.back10': ['Shift+PageUp'],
    'frame.forward10': ['Shift+PageDown'],
    'view.fit': ['Shift+Digit1', 'Home'],
    'object.hide': ['Mod+Shift+KeyH'],
    'object.lock': ['Mod+Shift+KeyL'],
    'object.pin': ['Alt+KeyP'],
    'object.outside': ['Alt+KeyO'],
    'object.group': ['Mod+KeyG'],
    'object.ungroup': ['Mod+Shift+KeyG'],
    'object.toFront': ['Mod+BracketRight'],
    'object.toBack': ['Mod+BracketLeft'],
    'track.previousKeyframe': ['Alt+KeyE'],
    'track.nextKeyframe': ['Alt+KeyR'],
  },
};
