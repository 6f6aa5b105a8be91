import { SaxesParser } from 'saxes';

/** The two kinds of marks that draw a skeleton, with their attributes: anything else does not come in. */
const numbers = /^-?\d+(\.\d+)?(e-?\d+)?$/i;
// oxlint-disable-next-line no-control-regex -- control characters are what is refused
const names = /^[^<>&"'\u0000-\u001f]{0,256}$/;
const allowed: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  line: {
    x1: numbers,
    y1: numbers,
    x2: numbers,
    y2: numbers,
    'data-type': /^edge$/,
    'data-node-from': names,
    'data-node-to': names,
    stroke: /^(black|#[0-9a-f]{3,8})$/i,
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
    stroke: /^(black|#[0-9a-f]{3,8})$/i,
    fill: /^(#[0-9a-f]{3,8}|black|white|none)$/i,
    'stroke-width': numbers,
  },
};

export interface SanitizedSvg {
  readonly svg: string;
  /** What was left out, for example `<script>`; empty where the drawing was clean. */
  readonly removed: readonly string[];
}

/**
 * A skeleton's drawing as it may be put into a page: its lines and circles with plain attributes, written anew.
 * Throws an Error with the parser's sentence when the text is no XML fragment.
 */
export function sanitizeSkeletonSvg(text: string): SanitizedSvg {
  const parser = new SaxesParser({ fragment: false });
  const parts: string[] = [];
  const removed = new Set<string>();
  let problem: Error | null = null;
  parser.on('error', (error) => (problem ??= error));
  parser.on('doctype', () => removed.add('<!DOCTYPE>'));
  parser.on('processinginstruction', () => removed.add('<?…?>'));
  parser.on('cdata', () => removed.add('CDATA'));
  parser.on('opentag', ({ name, attributes }) => {
    const rules = allowed[name];
    if (name === 'limner-root') return;
    if (!rules) {
      removed.add(`<${name}>`);
      return;
    }
    const kept = Object.entries(attributes).filter(([key, value]) => {
      const isGood = rules[key]?.test(String(value)) === true;
      if (!isGood) removed.add(`${name} ${key}`);
      return isGood;
    });
    const written = kept.map(([key, value]) => ` ${key}="${String(value)}"`).join('');
    parts.push(`<${name}${written}></${name}>`);
  });
  parser.write(`<limner-root>${text.replace(/^\s*<\?xml[^>]*\?>/, '')}</limner-root>`).close();
  if (problem) throw problem;
  return { svg: parts.join('\n'), removed: [...removed] };
}
