import { SaxesParser } from 'saxes';
import { skeletonMarks } from '../../../preload/geometry/skeleton-marks.ts';

/**
 * Rewrites a skeleton's SVG so that it is safe in a page: only lines and circles with plain attributes. `removed` lists
 * dropped parts, for example `<script>`. Throws an Error with the parser's message for invalid XML.
 */
export function sanitizeSkeletonSvg(text: string) {
  const parser = new SaxesParser({ fragment: false });
  const parts: string[] = [];
  const removed = new Set<string>();
  let problem: Error | null = null;
  parser.on('error', (error) => (problem ??= error));
  parser.on('doctype', () => removed.add('<!DOCTYPE>'));
  parser.on('processinginstruction', () => removed.add('<?…?>'));
  parser.on('cdata', () => removed.add('CDATA'));
  parser.on('opentag', ({ name, attributes }) => {
    const rules = Object.hasOwn(skeletonMarks, name) ? skeletonMarks[name] : undefined;
    if (name === 'limner-root') return;
    if (!rules) {
      removed.add(`<${name}>`);
      return;
    }
    const kept = Object.entries(attributes).filter(([key, value]) => {
      const isGood = Object.hasOwn(rules, key) && rules[key]?.test(String(value)) === true;
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
