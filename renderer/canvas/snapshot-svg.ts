import { shapeColor, withAlpha } from './appearance.ts';
import type { Editor } from './editor.ts';
import type { ImageLayer } from './layers/image-layer.ts';
import { createMaskPainter } from './layers/mask-painter.ts';
import { createPathText, short } from './path-text.ts';
import type { ShapeContext } from './shapes/behaviour.ts';
import { behaviourOf, boundsOf } from './shapes/shape-behaviours.ts';
import { drawnShapes, paintPictureSheet } from './snapshot.ts';
import type { ShapeRecord } from './types.ts';

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0) ?? 0};`);

async function dataAddress(canvas: OffscreenCanvas, type: string): Promise<string> {
  const bytes = new Uint8Array(await (await canvas.convertToBlob({ type, quality: 0.92 })).arrayBuffer());
  let text = '';
  // In pieces, because the number of arguments is limited.
  for (let start = 0; start < bytes.length; start += 0x80_00) {
    text += String.fromCodePoint(...bytes.subarray(start, start + 0x80_00));
  }
  return `data:${type};base64,${btoa(text)}`;
}

/** A mask's area has no path, so it is embedded as a bitmap. */
async function maskImage(editor: Editor, shape: ShapeRecord, context: ShapeContext): Promise<string> {
  const { left, top, right, bottom } = boundsOf(shape);
  const [width, height] = [Math.max(1, right - left), Math.max(1, bottom - top)];
  const canvas = new OffscreenCanvas(Math.ceil(width), Math.ceil(height));
  const target = canvas.getContext('2d');
  if (target === null) return '';
  target.translate(-left, -top);
  createMaskPainter().paint(target, [shape], editor, context);
  const address = await dataAddress(canvas, 'image/png');
  return `<image x="${short(left)}" y="${short(top)}" width="${canvas.width}" height="${canvas.height}" href="${address}"/>`;
}

/** One shape as a group with its name as the title, and optionally as text beside it. */
async function shapeGroup(
  editor: Editor,
  shape: ShapeRecord,
  { context, name, named }: { readonly context: ShapeContext; readonly name: string; readonly named: boolean },
): Promise<string> {
  const appearance = editor.appearance();
  const color = shapeColor(shape, appearance, editor.labels());
  const sink = { area: createPathText(), line: createPathText(), dot: createPathText() };
  if (shape.type !== 'mask') behaviourOf(shape).trace(shape, sink, context);
  const width = appearance.strokePx * context.pixel;
  const dash = shape.occluded ? ` stroke-dasharray="${short(5 * context.pixel)} ${short(4 * context.pixel)}"` : '';
  const outline = `stroke="${color}" stroke-width="${short(width)}" stroke-linejoin="round"${dash}`;
  const edge = `fill="none" stroke="#000000" stroke-opacity="0.5" stroke-width="${short(width + 2 * context.pixel)}"`;
  const path = (data: string, style: string): string => (data === '' ? '' : `<path d="${data}" ${style}/>`);
  const [area, line, dot] = [sink.area.text(), sink.line.text(), sink.dot.text()];
  const { left, top } = boundsOf(shape);
  const plate = named
    ? `<text x="${short(left)}" y="${short(top - 4 * context.pixel)}" font-size="${short(12 * context.pixel)}" fill="#ffffff" stroke="#000000" stroke-width="${short(3 * context.pixel)}" paint-order="stroke">${escaped(name)}</text>`
    : '';
  return [
    `<g><title>${escaped(name)}</title>`,
    shape.type === 'mask' ? await maskImage(editor, shape, context) : '',
    appearance.halo ? path(area + line, edge) : '',
    path(area, `fill="${withAlpha(color, appearance.opacity)}" ${outline}`),
    path(line, `fill="none" ${outline}`),
    path(dot, `fill="${color}" stroke="#000000" stroke-opacity="0.65" stroke-width="${short(context.pixel)}"`),
    plate,
    '</g>',
  ].join('');
}

/** SVG of the complete image with a group of paths per shape, in image pixels. */
export async function takeSvg(
  editor: Editor,
  image: ImageLayer,
  textOf: (shape: ShapeRecord) => string,
): Promise<Blob> {
  const { width, height } = editor.view.image();
  const { canvas } = await paintPictureSheet(editor, image);
  const context = editor.context({ scale: 1, offsetX: 0, offsetY: 0, rotation: 0 });
  const named = editor.appearance().showLabels === 'all';
  const groups: string[] = [];
  for (const shape of drawnShapes(editor).toSorted((a, b) => a.zOrder - b.zOrder)) {
    groups.push(await shapeGroup(editor, shape, { context, name: textOf(shape), named }));
  }
  const picture = await dataAddress(canvas, 'image/jpeg');
  return new Blob(
    [
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif">\n`,
      `<image width="${width}" height="${height}" href="${picture}"/>\n`,
      ...groups.map((group) => `${group}\n`),
      '</svg>\n',
    ],
    { type: 'image/svg+xml' },
  );
}
