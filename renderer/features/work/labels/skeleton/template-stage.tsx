import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { useText } from '../../../../i18n/index.ts';
import {
  toggled,
  type Place,
  type Template,
  changed,
  moved,
  pointAt,
  withPoint,
  without,
  freePlace,
} from './template.ts';
import classes from './template-editor.module.css';

interface TemplateStageProps {
  readonly state: StageState;
  readonly tool: TemplateTool;
  readonly isFixed: boolean;
  readonly picture: string | null;
  readonly onChange: (template: Template, chosen: string | null) => void;
  readonly onRefused: () => void;
  readonly onKey: (event: KeyboardEvent) => void;
}

function placeOf(event: PointerEvent<SVGSVGElement>): Place {
  const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
  const within = (value: number): number => Math.min(100, Math.max(0, value));
  return { x: within(((event.clientX - left) / width) * 100), y: within(((event.clientY - top) / height) * 100) };
}

const Lines = ({
  template,
  onPress,
}: {
  readonly template: Template;
  readonly onPress: (index: number) => boolean;
}) => {
  const places = new Map(template.points.map((point) => [point.key, point]));
  return template.edges.map(([from, to], index) => {
    const [a, b] = [places.get(from), places.get(to)];
    if (a === undefined || b === undefined) return null;
    const ends = { x1: a.x, y1: a.y, x2: b.x, y2: b.y };
    const press = (event: PointerEvent): void => {
      if (event.button === 0 && onPress(index)) event.stopPropagation();
    };
    return (
      <g key={`${from} ${to}`} data-testid="template-line" onPointerDown={press}>
        <line {...ends} className={classes.edge} />
        <line {...ends} className={classes.line} />
        <line {...ends} className={classes.reach} />
      </g>
    );
  });
};

export function TemplateStage({ state, tool, isFixed, picture, onChange, onRefused, onKey }: TemplateStageProps) {
  const t = useText();
  const [gesture, setGesture] = useState<StageGesture | null>(null);
  const [hovered, setHovered] = useState<string | null>(null);
  // Two events before the next render must not both use the same gesture.
  const running = useRef<StageGesture | null>(null);
  const follow = (next: StageGesture | null): void => {
    running.current = next;
    setGesture(next);
  };
  const { template, chosen, joining } = state;
  const shown = previewStage(template, gesture);
  const press = (event: PointerEvent<SVGSVGElement>): void => {
    if (event.button !== 0) return;
    const result = pressStage(template, tool, placeOf(event), isFixed);
    if ('kind' in result) {
      event.currentTarget.setPointerCapture(event.pointerId);
      follow(result);
      return;
    }
    if (isFixed && tool !== 'move') onRefused();
    onChange(result.template, result.chosen);
  };
  const drag = (event: PointerEvent<SVGSVGElement>): void => {
    if (running.current !== null) follow(dragStage(template, running.current, placeOf(event)));
  };
  const release = (event: PointerEvent<SVGSVGElement>): void => {
    const held = running.current;
    if (held === null || event.button !== 0) return;
    const result = releaseStage(template, dragStage(template, held, placeOf(event)), isFixed);
    follow(null);
    onChange(result.template, result.chosen);
  };
  const deleteLine = (index: number): boolean => {
    const edge = template.edges[index];
    if (tool !== 'delete' || edge === undefined) return false;
    onChange(toggled(template, ...edge), chosen);
    return true;
  };
  const keyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && running.current !== null) {
      event.stopPropagation();
      follow(null);
    } else {
      onKey(event);
    }
  };
  const from = shown.points.find(({ key }) => key === (gesture?.kind === 'join' ? gesture.from : joining));
  const to = gesture?.kind === 'join' ? gesture.at : shown.points.find(({ key }) => key === chosen);
  return (
    <svg
      viewBox="0 0 100 100"
      className={classes.stage}
      data-tool={tool}
      data-testid="template-stage"
      role="application"
      aria-label={t('skeleton.stage')}
      tabIndex={0}
      onPointerDown={press}
      onPointerMove={drag}
      onPointerUp={release}
      onPointerCancel={() => follow(null)}
      onKeyDown={keyDown}
    >
      {picture !== null && (
        <image href={picture} width={100} height={100} preserveAspectRatio="xMidYMid meet" opacity={0.8} />
      )}
      <Lines template={shown} onPress={deleteLine} />
      {from !== undefined && to !== undefined && (
        <line className={classes.joining} x1={from.x} y1={from.y} x2={to.x} y2={to.y} />
      )}
      {shown.points.map(({ key, name, color, x, y }) => (
        <g
          key={key}
          data-testid="template-point"
          data-name={name}
          data-chosen={key === chosen || undefined}
          onPointerEnter={() => setHovered(key)}
          onPointerLeave={() => setHovered(null)}
        >
          <circle className={classes.reach} cx={x} cy={y} r={2.2} />
          <circle className={classes.node} cx={x} cy={y} r={key === chosen ? 1.3 : 0.9} style={{ fill: color }} />
        </g>
      ))}
      {gesture?.kind === 'add' && <circle className={classes.node} cx={gesture.at.x} cy={gesture.at.y} r={0.9} />}
      {shown.points
        .filter(({ key }) => key === chosen || key === hovered)
        .map(({ key, name, x, y }) => (
          <text
            key={key}
            className={classes.name}
            x={x > 75 ? x - 2.2 : x + 2.2}
            y={y - 1.6}
            textAnchor={x > 75 ? 'end' : 'start'}
          >
            {name}
          </text>
        ))}
    </svg>
  );
}

export const templateTools = ['draw', 'move', 'delete'] as const;
export type TemplateTool = (typeof templateTools)[number];

export type StageGesture =
  | { readonly kind: 'add'; readonly at: Place }
  | { readonly kind: 'join'; readonly from: string; readonly at: Place; readonly isDragged: boolean }
  | { readonly kind: 'move'; readonly key: string; readonly at: Place; readonly isDragged: boolean };

interface StageResult {
  readonly template: Template;
  readonly chosen: string | null;
}

/** Units of the template: maximum distance of a press from a point, and minimum movement of a drag. */
const reach = 2.2;
const slack = 1;

/** Gesture that a press starts; null if it takes effect at once. */
export function pressStage(
  template: Template,
  tool: TemplateTool,
  at: Place,
  isFixed: boolean,
): StageGesture | StageResult {
  const point = pointAt(template, at, reach);
  if (point === undefined) {
    return tool === 'draw' && !isFixed ? { kind: 'add', at } : { template, chosen: null };
  }
  const { key } = point;
  if (tool === 'delete') return { template: isFixed ? template : without(template, key), chosen: isFixed ? key : null };
  if (tool === 'move') return { kind: 'move', key, at, isDragged: false };
  return { kind: 'join', from: key, at, isDragged: false };
}

export function dragStage(template: Template, gesture: StageGesture, at: Place): StageGesture {
  if (gesture.kind === 'add') return { ...gesture, at };
  const key = gesture.kind === 'join' ? gesture.from : gesture.key;
  const point = template.points.find((one) => one.key === key) ?? at;
  const isDragged = gesture.isDragged || Math.hypot(point.x - at.x, point.y - at.y) > slack;
  return { ...gesture, at, isDragged };
}

/** State after the release. A line that ends in empty space gets a point there. */
export function releaseStage(template: Template, gesture: StageGesture, isFixed: boolean): StageResult {
  if (gesture.kind === 'add') {
    const added = withPoint(template, gesture.at);
    return { template: added.template, chosen: added.key };
  }
  if (gesture.kind === 'move') {
    const { key, at, isDragged } = gesture;
    return { template: isDragged ? moved(template, key, at) : template, chosen: key };
  }
  const { from, at, isDragged } = gesture;
  if (!isDragged) return { template, chosen: from };
  const target = pointAt(template, at, reach);
  if (target !== undefined) return { template: toggled(template, from, target.key), chosen: target.key };
  if (isFixed) return { template, chosen: from };
  const added = withPoint(template, at);
  return { template: toggled(added.template, from, added.key), chosen: added.key };
}

function previewStage(template: Template, gesture: StageGesture | null): Template {
  return gesture?.kind === 'move' && gesture.isDragged ? changed(template, gesture.key, gesture.at) : template;
}

export interface StageState {
  readonly template: Template;
  readonly chosen: string | null;
  readonly joining: string | null;
}

export interface StageKey {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

const arrows: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

function next({ points }: Template, chosen: string | null, by: -1 | 1): string | null {
  const at = points.findIndex(({ key }) => key === chosen);
  const place = at < 0 ? (by > 0 ? 0 : points.length - 1) : (at + by + points.length) % points.length;
  return points[place]?.key ?? null;
}

/** Effect of a key on the template and the selection; null if the stage does not handle it. */
export function pressKey(state: StageState, { key, shiftKey, altKey }: StageKey, isFixed: boolean): StageState | null {
  const { template, chosen, joining } = state;
  const point = template.points.find((one) => one.key === chosen);
  const arrow = arrows[key];
  if (arrow !== undefined) {
    if (point === undefined) return { ...state, chosen: next(template, chosen, 1) };
    const step = shiftKey ? 5 : altKey ? 0.2 : 1;
    const at = { x: point.x + arrow[0] * step, y: point.y + arrow[1] * step };
    return { ...state, template: moved(template, point.key, at) };
  }
  switch (key) {
    case 'PageUp':
      return { ...state, chosen: next(template, chosen, -1) };
    case 'PageDown':
      return { ...state, chosen: next(template, chosen, 1) };
    case 'Enter': {
      if (isFixed) return state;
      const added = withPoint(template, freePlace(template, point));
      return { ...state, template: added.template, chosen: added.key };
    }
    case 'Delete':
    case 'Backspace': {
      if (isFixed || point === undefined) return state;
      const left = without(template, point.key);
      const follower = left.points.length === 0 ? null : next(template, point.key, -1);
      return { template: left, chosen: follower, joining: joining === point.key ? null : joining };
    }
    case 'j':
    case 'J':
      if (point === undefined) return state;
      if (joining === null || joining === point.key) return { ...state, joining: joining === null ? point.key : null };
      return { ...state, template: toggled(template, joining, point.key), joining: null };
    case 'Escape':
      if (joining !== null) return { ...state, joining: null };
      return chosen === null ? null : { ...state, chosen: null };
    default:
      return null;
  }
}
