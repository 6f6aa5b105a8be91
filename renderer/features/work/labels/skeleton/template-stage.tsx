import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { useText } from '../../../../i18n/index.ts';
import type { StageState } from './stage-keys.ts';
import {
  dragStage,
  pressStage,
  previewStage,
  releaseStage,
  type StageGesture,
  type TemplateTool,
} from './stage-gesture.ts';
import { toggled, type Place, type Template } from './template.ts';
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
