import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { polygonsToMask } from '../../preload/contract/mask-polygons.ts';
import { writeSkeletonSvg } from '../../preload/contract/skeleton-svg-writer.ts';
import { behaviourOf } from '../../renderer/canvas/shapes/shape-behaviours.ts';
import { signIn } from './client.ts';
import { projectRoot } from './node-executable.ts';
import { startServer } from './server.ts';

/**
 * Makes the pictures of the README (`node test/support/make-screenshots.ts`): a street of our own drawing, annotated
 * through the service, shown by the built screens in Chromium, in both themes.
 */
const width = 1280;
const height = 720;

const car = (x: number, y: number, scale: number, color: string) => `
  <g transform="translate(${x} ${y}) scale(${scale})">
    <ellipse cx="110" cy="78" rx="118" ry="12" fill="#0004"/>
    <path d="M8 52 Q10 34 36 32 L62 8 Q66 4 74 4 L140 4 Q148 4 152 10 L170 32 Q206 34 212 50 L212 66 L8 66 Z" fill="${color}"/>
    <path d="M70 12 L104 12 L104 32 L52 32 Z M112 12 L140 12 L156 32 L112 32 Z" fill="#cfe3ee"/>
    <circle cx="54" cy="66" r="17" fill="#1c1d21"/><circle cx="54" cy="66" r="8" fill="#9aa0a8"/>
    <circle cx="168" cy="66" r="17" fill="#1c1d21"/><circle cx="168" cy="66" r="8" fill="#9aa0a8"/>
  </g>`;
const person = (x: number, y: number, scale: number, color: string) => `
  <g transform="translate(${x} ${y}) scale(${scale})">
    <ellipse cx="20" cy="122" rx="24" ry="5" fill="#0004"/>
    <circle cx="20" cy="12" r="11" fill="#8a5a3c"/>
    <path d="M8 26 Q20 20 32 26 L34 70 L6 70 Z" fill="${color}"/>
    <path d="M8 70 L18 70 L18 120 L9 120 Z M22 70 L32 70 L31 120 L22 120 Z" fill="#2c3345"/>
  </g>`;
const scene = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
  <defs>
    <linearGradient id="sky" x2="0" y2="1"><stop stop-color="#8fb8d8"/><stop offset="1" stop-color="#e9dcc8"/></linearGradient>
    <linearGradient id="road" x2="0" y2="1"><stop stop-color="#6e7074"/><stop offset="1" stop-color="#3f4145"/></linearGradient>
  </defs>
  <rect width="100%" height="420" fill="url(#sky)"/>
  <path d="M0 180 L160 180 L160 90 L330 90 L330 210 L470 210 L470 120 L640 120 L640 230 L820 230 L820 60 L1010 60 L1010 190 L1280 190 L1280 430 L0 430 Z" fill="#a58f86"/>
  <path d="M0 240 L250 240 L250 300 L560 300 L560 250 L900 250 L900 310 L1280 310 L1280 440 L0 440 Z" fill="#86736d"/>
  <g fill="#f3dfae" opacity=".75">${Array.from({ length: 40 }, (_, i) => `<rect x="${30 + (i % 20) * 62}" y="${265 + Math.floor(i / 20) * 62}" width="22" height="30"/>`).join('')}</g>
  <path d="M0 430 L1280 430 L1280 470 L0 470 Z" fill="#b9b2a6"/>
  <rect y="468" width="100%" height="252" fill="url(#road)"/>
  <g fill="#e8e4da" opacity=".85">${Array.from({ length: 9 }, (_, i) => `<path d="M${i * 160} 585 l80 0 l-8 12 l-80 0 Z"/>`).join('')}</g>
  ${car(120, 470, 1.15, '#b5483a')}${car(520, 455, 0.85, '#3f6f9e')}${car(840, 520, 1.5, '#d8b23c')}
  ${person(395, 372, 0.9, '#4f8f6d')}${person(760, 366, 0.95, '#c26a8b')}${person(1195, 380, 0.9, '#5661a8')}
</svg>`;

/** Where the people stand: left and top, and how large they are drawn. */
const people = [
  [395, 372, 0.9],
  [760, 366, 0.95],
  [1195, 380, 0.9],
] as const;
/** Head, neck, hips and feet, as `person` draws them. */
const joints = [
  { name: 'head', x: 20, y: 8, color: '#ffb020' },
  { name: 'neck', x: 20, y: 25, color: '#40c9a2' },
  { name: 'hips', x: 20, y: 70, color: '#40c9a2' },
  { name: 'left foot', x: 27, y: 118, color: '#2f9bdc' },
  { name: 'right foot', x: 13, y: 118, color: '#e0433f' },
];
const drawing = writeSkeletonSvg(
  joints.map(({ name, x, y }) => ({ name, x: x * 2.5, y: y * 0.8 })),
  [
    [1, 2],
    [2, 3],
    [3, 4],
    [3, 5],
  ],
);
const blueCar = { left: 526, top: 458, right: 690, bottom: 526 };
const pavement = polygonsToMask([[0, 430, 1280, 430, 1280, 468, 0, 468]], width, height) ?? [];
const outline = [
  852, 598, 856, 572, 894, 568, 933, 532, 951, 526, 1050, 526, 1068, 535, 1095, 568, 1149, 574, 1158, 595, 1158, 619,
  852, 619,
];

const server = await startServer({ entry: 'built' });
const client = await signIn(server);
const bytes = await sharp(Buffer.from(scene)).png().toBuffer();
const images = ['street_01.png', 'street_02.png', 'street_03.png'].map((name) => ({ name, bytes }));
const sublabels = joints.map(({ name, color }) => ({ name, color, type: 'points' as const }));
const labels = [
  { name: 'car' },
  { name: 'person', type: 'skeleton' as const, svg: drawing, sublabels },
  { name: 'road' },
  { name: 'pavement', type: 'mask' as const },
];
const task = await client.taskWithImages({ name: 'Street scenes', labels }, images);
const made = await client.labels(task.id);
const labelId = (name: string) => made.find((label) => label.name === name)?.id ?? 0;
const pointIds = made.find(({ name }) => name === 'person')?.sublabels.map(({ id }) => id) ?? [];
const [job] = await client.jobs(task.id);
const jobId = job?.id ?? 0;
await client.changeAnnotations('jobs', jobId, 'create', {
  shapes: [
    { type: 'mask', frame: 0, label_id: labelId('pavement'), points: pavement },
    ...people.map(([left, top, scale]) => ({
      type: 'skeleton' as const,
      frame: 0,
      label_id: labelId('person'),
      points: [],
      elements: joints.map(({ x, y }, index) => ({
        type: 'points' as const,
        frame: 0,
        label_id: pointIds[index] ?? 0,
        points: [left + x * scale, top + y * scale],
      })),
    })),
    { type: 'rectangle', frame: 0, label_id: labelId('car'), points: [128, 474, 366, 566] },
    {
      type: 'cuboid',
      frame: 0,
      label_id: labelId('car'),
      points: behaviourOf({ type: 'cuboid' }).pointsOfBox?.(blueCar) ?? [],
    },
    { type: 'polygon', frame: 0, label_id: labelId('car'), points: outline },
    { type: 'polyline', frame: 0, label_id: labelId('road'), points: [4, 591, 420, 591, 860, 592, 1276, 591] },
  ],
});

const folder = join(projectRoot, 'resources', 'screenshots');
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
const page = await context.newPage();
await page.goto(server.launchUrl);
for (const colorScheme of ['dark', 'light'] as const) {
  await page.emulateMedia({ colorScheme });
  await page.goto(`${server.url}/tasks/${task.id}/jobs/${jobId}`);
  await page.locator('[data-testid="frame-shown"]:not([data-picture="loading"])').waitFor({ state: 'attached' });
  await page.waitForTimeout(800);
  await page.screenshot({ path: join(folder, `annotate-${colorScheme}.png`) });
}
await browser.close();
await server.stop();
