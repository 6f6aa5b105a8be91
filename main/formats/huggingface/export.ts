import { listExporter } from '../kit/image-files/list-exporter.ts';
import { addDecimals } from '../kit/short-decimals.ts';

/** `<subset>/metadata.jsonl`, a line for each image; they lie beside it, as `datasets` loads them. */
export const exportHuggingFace = listExporter({
  format: 'Hugging Face ImageFolder',
  kinds: new Set(['rectangle']),
  kept: {},
  isLines: true,
  listPath: (subset) => `${subset}/metadata.jsonl`,
  imagePath: (subset, image) => `${subset}/${image}`,
  object({ label }, { points: [x1 = 0, y1 = 0, x2 = 0, y2 = 0] }) {
    const [left, top] = [Math.min(x1, x2), Math.min(y1, y2)];
    const size = [addDecimals(Math.max(x1, x2), -left), addDecimals(Math.max(y1, y2), -top)];
    return { bbox: [left, top, ...size], label };
  },
  tag: ({ label }) => ({ label }),
  element: ({ width, height }, { name }, objects, tags) => ({
    file_name: name,
    width,
    height,
    objects: { bbox: objects.map(({ bbox }) => bbox), categories: objects.map(({ label }) => label) },
    labels: tags.map(({ label }) => label),
  }),
});
