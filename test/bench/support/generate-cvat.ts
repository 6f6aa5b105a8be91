import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { below, createRandom } from '../../support/random.ts';

const flushLength = 1024 * 1024;
export const cvatLabels = ['car', 'person', 'tree'];
export const cvatImageName = (index: number): string => `frame-${String(index).padStart(6, '0')}.jpg`;

/**
 * Writes a file in the layout of "CVAT for images" of about `bytes` bytes, half boxes and half polygons of 12 points.
 */
export async function generateCvat(file: string, bytes: number): Promise<{ images: number; shapes: number }> {
  const random = createRandom(1);
  const stream = createWriteStream(file);
  const coordinate = (most: number) => (below(random, most * 100) / 100).toFixed(2);
  let text = '<?xml version="1.0" encoding="utf-8"?>\n<annotations>\n  <version>1.1</version>\n';
  let written = 0;
  let images = 0;
  let shapes = 0;
  for (; written + text.length < bytes; images += 1) {
    text += `  <image id="${images}" name="${cvatImageName(images)}" width="640" height="480">\n`;
    for (let index = 0; index < 10; index += 1, shapes += 1) {
      const label = cvatLabels[below(random, cvatLabels.length)] ?? '';
      if (index % 2 === 0) {
        const [left, top] = [coordinate(600), coordinate(440)];
        text += `    <box label="${label}" source="manual" occluded="0" xtl="${left}" ytl="${top}" xbr="${(Number(left) + 20).toFixed(2)}" ybr="${(Number(top) + 20).toFixed(2)}" z_order="0">\n    </box>\n`;
      } else {
        const points = Array.from({ length: 12 }, () => `${coordinate(640)},${coordinate(480)}`).join(';');
        text += `    <polygon label="${label}" source="manual" occluded="0" points="${points}" z_order="0">\n    </polygon>\n`;
      }
    }
    text += '  </image>\n';
    if (text.length > flushLength) {
      if (!stream.write(text)) await once(stream, 'drain');
      written += text.length;
      text = '';
    }
  }
  stream.end(`${text}</annotations>\n`);
  await finished(stream);
  return { images, shapes };
}
