import { writeSkeletonSvg } from '../../preload/geometry/skeleton-svg-writer.ts';

/** A drawn street scene: free to ship, and its objects have known places. */
export const width = 1280;
export const height = 720;

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
export interface Thing {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
  readonly color: string;
}
export const street = (
  cars: readonly Thing[],
  people: readonly Thing[],
) => `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
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
  ${cars.map(({ x, y, scale, color }) => car(x, y, scale, color)).join('')}
  ${people.map(({ x, y, scale, color }) => person(x, y, scale, color)).join('')}
</svg>`;

export const cars: readonly Thing[] = [
  { x: 120, y: 470, scale: 1.15, color: '#b5483a' },
  { x: 520, y: 455, scale: 0.85, color: '#3f6f9e' },
  { x: 840, y: 520, scale: 1.5, color: '#d8b23c' },
];
export const people: readonly Thing[] = [
  { x: 395, y: 372, scale: 0.9, color: '#4f8f6d' },
  { x: 760, y: 366, scale: 0.95, color: '#c26a8b' },
  { x: 1195, y: 380, scale: 0.9, color: '#5661a8' },
];
export const joints = [
  { name: 'head', x: 20, y: 8, color: '#ffb020' },
  { name: 'neck', x: 20, y: 25, color: '#40c9a2' },
  { name: 'hips', x: 20, y: 70, color: '#40c9a2' },
  { name: 'left foot', x: 27, y: 118, color: '#2f9bdc' },
  { name: 'right foot', x: 13, y: 118, color: '#e0433f' },
];
export const drawing = writeSkeletonSvg(
  joints.map(({ name, x, y }) => ({ name, x: x * 2.5, y: y * 0.8 })),
  [
    [1, 2],
    [2, 3],
    [3, 4],
    [3, 5],
  ],
);
