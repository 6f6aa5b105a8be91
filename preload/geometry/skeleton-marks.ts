const numbers = /^-?\d+(\.\d+)?(e-?\d+)?$/i;
// oxlint-disable-next-line no-control-regex -- control characters are what is refused
const names = /^[^<>&"\u0000-\u001f]{0,256}$/;
const colors = /^(#[0-9a-f]{3,8}|black|white|red|none)$/i;

/** The two elements of a skeleton's SVG, with their allowed attributes. Everything else is rejected. */
export const skeletonMarks: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  line: {
    x1: numbers,
    y1: numbers,
    x2: numbers,
    y2: numbers,
    'data-type': /^edge$/,
    'data-node-from': names,
    'data-node-to': names,
    stroke: colors,
    'stroke-width': numbers,
  },
  circle: {
    r: numbers,
    cx: numbers,
    cy: numbers,
    'data-type': /^element node$/,
    'data-element-id': names,
    'data-node-id': names,
    'data-label-name': names,
    'data-label-id': names,
    stroke: colors,
    fill: colors,
    'stroke-width': numbers,
  },
};
