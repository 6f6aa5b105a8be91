import type { GitConflict } from '../../../preload/contract/schema/git.ts';
import { useText } from '../../i18n/index.ts';
import classes from './conflicts.module.css';

type Side = Readonly<Record<string, unknown>>;
interface Outline {
  /** SVG path data, image pixels. */
  readonly path: string;
  readonly xs: readonly number[];
  readonly ys: readonly number[];
}

/** The place on the frame, with mine and theirs over it. Nothing for tags, which have no place. */
export function ConflictPicture({ conflict }: { readonly conflict: GitConflict }) {
  const t = useText();
  const [mine, theirs] = [outlineOf(conflict.mine), outlineOf(conflict.theirs)];
  const shown = [mine, theirs].filter((outline) => outline !== null);
  if (shown.length === 0) return null;
  const xs = shown.flatMap((outline) => outline.xs);
  const ys = shown.flatMap((outline) => outline.ys);
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(1, Math.max(...xs) - left), Math.max(1, Math.max(...ys) - top)];
  const margin = Math.max(width, height) * 0.25;
  const pixel = Math.max((width + 2 * margin) / 160, (height + 2 * margin) / 120);
  const box = [left - margin, top - margin, width + 2 * margin, height + 2 * margin].join(' ');
  const address = `/api/tasks/${conflict.task_id}/data?type=frame&number=${conflict.frame}&quality=compressed`;
  return (
    <svg className={classes.picture} viewBox={box} role="img" aria-label={t('git.picture')}>
      <image href={address} x={0} y={0} />
      {shown.map(({ path }, index) => (
        <path key={index} className={classes.shadow} d={path} strokeWidth={pixel * 3.5} />
      ))}
      {theirs !== null && (
        <path
          className={classes.theirs}
          d={theirs.path}
          strokeWidth={pixel * 1.75}
          strokeDasharray={`${pixel * 5} ${pixel * 3}`}
        />
      )}
      {mine !== null && <path d={mine.path} strokeWidth={pixel * 1.75} />}
    </svg>
  );
}

/** A track by where it begins. */
function outlineOf(side: Side | null): Outline | null {
  if (side === null || side['kind'] === 'tag') return null;
  const parts = partsOf(side).flatMap((part) => pathOf(part) ?? []);
  if (parts.length === 0) return null;
  return {
    path: parts.map(({ path }) => path).join(' '),
    xs: parts.flatMap(({ xs }) => xs),
    ys: parts.flatMap(({ ys }) => ys),
  };
}

const list = (value: unknown): Side[] => (Array.isArray(value) ? (value as Side[]) : []);

function partsOf(side: Side): Side[] {
  const elements = list(side['elements']);
  const own = side['kind'] === 'track' || side['points'] === undefined ? list(side['shapes']).slice(0, 1) : [side];
  return elements.length > 0 ? elements.flatMap(partsOf) : own;
}

function pathOf(shape: Side): Outline | null {
  const { type, points } = shape;
  const numbers = Array.isArray(points) ? (points as number[]) : [];
  if (type === 'mask') {
    const [left = 0, top = 0, right = 0, bottom = 0] = numbers.slice(-4);
    return polygon([left, top, right + 1, top, right + 1, bottom + 1, left, bottom + 1]);
  }
  if (numbers.length < 2) return null;
  const [x = 0, y = 0, x2 = 0, y2 = 0] = numbers;
  if (type === 'rectangle') return polygon(turned([x, y, x2, y, x2, y2, x, y2], Number(shape['rotation'] ?? 0)));
  if (type === 'ellipse') return ellipse(x, y, Math.abs(x2 - x), Math.abs(y - y2), Number(shape['rotation'] ?? 0));
  if (type === 'points') {
    const crosses = pairs(numbers).map(([px, py]) => `M${px - 2} ${py}h4M${px} ${py - 2}v4`);
    return { ...polygon(numbers), path: crosses.join('') };
  }
  return polygon(numbers, type !== 'polyline');
}

const pairs = (numbers: readonly number[]): [number, number][] =>
  Array.from({ length: Math.floor(numbers.length / 2) }, (_, at) => [numbers[2 * at] ?? 0, numbers[2 * at + 1] ?? 0]);

function polygon(numbers: readonly number[], isClosed = true): Outline {
  const all = pairs(numbers);
  const path = `M${all.map(([x, y]) => `${x} ${y}`).join('L')}${isClosed ? 'Z' : ''}`;
  return { path, xs: all.map(([x]) => x), ys: all.map(([, y]) => y) };
}

/** Clockwise around the centre, in degrees, as the service states it. */
function turned(numbers: readonly number[], degrees: number): number[] {
  const all = pairs(numbers);
  const [cx, cy] = [0, 1].map((axis) => all.reduce((sum, pair) => sum + (pair[axis] ?? 0), 0) / all.length) as [
    number,
    number,
  ];
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  return all.flatMap(([x, y]) => [cx + (x - cx) * cos - (y - cy) * sin, cy + (x - cx) * sin + (y - cy) * cos]);
}

function ellipse(cx: number, cy: number, rx: number, ry: number, degrees: number): Outline {
  const steps = 48;
  const around = Array.from({ length: steps }, (_, step) => {
    const angle = (2 * Math.PI * step) / steps;
    return [cx + rx * Math.cos(angle), cy + ry * Math.sin(angle)];
  });
  return polygon(turned(around.flat(), degrees));
}
