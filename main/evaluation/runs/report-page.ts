import {
  isDetectionKind,
  type EvaluationCountsAnswer,
  type EvaluationReport,
} from '../../../preload/contract/schema/evaluations.ts';

const colors = ['#3b6fd8', '#c8437e', '#2e8f68', '#9a6a10'] as const;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const shown = (value: number | undefined): string =>
  value === undefined || value === -1 ? '–' : Number.isInteger(value) && value > 1 ? String(value) : value.toFixed(3);

const style = `:root{color-scheme:light dark;--line:#8884;--soft:#8882}body{font:14px/1.45 system-ui,sans-serif;max-width:1080px;margin:24px auto;padding:0 16px}
h1{font-size:22px;margin:0}h2{font-size:15px;margin:28px 0 8px}p{margin:4px 0;opacity:.75}table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:4px 10px;border-bottom:1px solid var(--line);text-align:right}th:first-child,td:first-child{text-align:left}
.two{display:flex;flex-wrap:wrap;gap:24px}i{display:inline-block;width:10px;height:10px;border-radius:3px;margin-right:6px}svg text{fill:currentColor;font-size:11px}.wide{overflow-x:auto}`;

type Line = readonly { readonly x: number; readonly y: number }[];

function chart(title: string, lines: readonly Line[]): string {
  const [width, height, left, top] = [460, 260, 34, 8];
  const place = (x: number, y: number) =>
    `${(left + x * (width - left - 8)).toFixed(1)},${(top + (1 - y) * (height - top - 24)).toFixed(1)}`;
  const grid = [0, 0.5, 1].map((y) => {
    const [x1, at] = place(0, y).split(',');
    return `<path d="M${place(0, y)}L${place(1, y)}" stroke="var(--line)"/><text x="${Number(x1) - 6}" y="${Number(at) + 4}" text-anchor="end">${y}</text>`;
  });
  const paths = lines.map((line, index) => {
    const points = line.filter(({ x, y }) => x >= 0 && y >= 0).map(({ x, y }) => place(x, y));
    const dashes = index % 2 === 1 ? ' stroke-dasharray="5 3"' : '';
    return points.length === 0
      ? ''
      : `<path d="M${points.join('L')}" fill="none" stroke="${colors[index % colors.length]}" stroke-width="2"${dashes}/>`;
  });
  const ends = `<text x="${left}" y="${height - 4}">0</text><text x="${width - 8}" y="${height - 4}" text-anchor="end">1</text>`;
  return `<figure style="margin:0"><h2>${escaped(title)}</h2><svg role="img" aria-label="${escaped(title)}" width="${width}" height="${height}">${grid.join('')}${paths.join('')}${ends}</svg></figure>`;
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  `<div class="wide"><table><thead><tr>${head.map((one) => `<th>${one}</th>`).join('')}</tr></thead><tbody>${rows
    .map((row) => `<tr>${row.map((one) => `<td>${one}</td>`).join('')}</tr>`)
    .join('')}</tbody></table></div>`;

/** A self-contained page without scripts or external resources. */
export function reportPage(report: EvaluationReport, counts: EvaluationCountsAnswer): string {
  const { name, models, labels, details, kind, frame_count: frames, truth_count: truths, created_date: date } = report;
  const named = models.map(
    (model, index) => `<i style="background:${colors[index % colors.length]}"></i>${escaped(model.name)}`,
  );
  const measures = Object.keys(models[0]?.measures ?? {});
  const isOfObjects = isDetectionKind(kind);
  const keys = isOfObjects ? ['AP'] : Object.keys(details[0]?.labels[0] ?? {});
  const nearest = (place: number) =>
    details[place]?.precision.reduce((best, one) =>
      Math.abs(one.overlap - counts.iou) < Math.abs(best.overlap - counts.iou) ? one : best,
    )?.values ?? [];
  const confusion = counts.models.map((model, place) => {
    const names = [...labels.map((label) => escaped(label.name)), 'missed'];
    const rows = model.confusion.map((row, index) => [
      index === labels.length ? 'extra' : (names[index] ?? ''),
      ...row.map((count) => (count === 0 ? '·' : String(count))),
    ]);
    return `<h2>Confusion: ${named[place]}</h2><p>Rows are truths, columns predictions; pairs are made whatever the label.</p>${table(['', ...names], rows)}`;
  });
  const charts = () => `<div class="two">${chart(
    'Precision by recall',
    models.map((_, place) => nearest(place).map((y, index) => ({ x: index / 100, y }))),
  )}
${chart(
  'F1 by threshold',
  counts.models.map(({ curve }) => curve.map(({ f1 }, index) => ({ x: index / 100, y: f1 }))),
)}</div>`;
  const misses = () =>
    `<h2>Misses by size</h2>${table(
      ['', ...named],
      ['small, under 32² pixels', 'medium', 'large, from 96² pixels'].map((size, index) => [
        size,
        ...counts.models.map(({ sizes }) => `${sizes[index]?.missed ?? 0} of ${sizes[index]?.truths ?? 0}`),
      ]),
    )}`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(name)}</title><style>${style}</style></head><body>
<h1>${escaped(name)}</h1>
<p>${frames} frames, ${truths} truths, compared as ${kind}, ${escaped(date.slice(0, 10))}.${isOfObjects ? ` Counted at an overlap of ${counts.iou} and scores from ${counts.score}.` : ''} A dash stands where there is nothing to measure.</p>
<h2>Measures</h2>${table(
    ['', ...named],
    measures.map((key) => [key, ...models.map((model) => shown(model.measures?.[key]))]),
  )}
${isOfObjects ? charts() : ''}
<h2>${isOfObjects ? 'At the threshold' : 'Counted'}</h2>${table(
    ['', 'found', 'missed', 'extra', 'precision', 'recall', 'F1'],
    counts.models.map(({ all }, place) => [
      named[place] ?? '',
      ...[all.hits, all.missed, all.extra].map(String),
      ...[all.precision, all.recall, all.f1].map(shown),
    ]),
  )}
<h2>By label</h2>${table(
    ['', 'truths', ...named.flatMap((one) => keys.map((key) => `${key} ${one}`))],
    labels.map((label, index) => [
      escaped(label.name),
      String(label.truths),
      ...details.flatMap((own) => keys.map((key) => shown(own.labels[index]?.[key]))),
    ]),
  )}
${confusion.join('\n')}
${isOfObjects ? misses() : ''}
</body></html>
`;
}
