import { useEffect, useMemo, useRef } from 'react';
import { boundsOf } from '../../../../canvas/shapes/shape-behaviours.ts';
import { isArea, ringsOf } from '../../../../canvas/shapes/shape-rings.ts';
import type { ShapeRecord } from '../../../../canvas/types.ts';
import { useAnnotate, useSession } from '../session-context.ts';
import classes from './modes.module.css';
import { targetAt } from '../../model/modes/attribute-order.ts';
import { useAttributes } from './use-modes.ts';

/** Outlines of an area, or the box of any other shape, as x, y pairs in image pixels. */
function outlines(shape: ShapeRecord): readonly (readonly number[])[] {
  if (isArea(shape)) return ringsOf(shape);
  const { left, top, right, bottom } = boundsOf(shape);
  return [[left, top, right, top, right, bottom, left, bottom]];
}

const Light = ({ shape }: { readonly shape: ShapeRecord }) => {
  const { engine } = useSession();
  const dark = useRef<SVGPathElement>(null);
  const rings = useMemo(() => outlines(shape), [shape]);
  useEffect(() => {
    const draw = (): void => {
      const parts = rings.map((ring) => {
        const corners = Array.from({ length: ring.length / 2 }, (_, index) => {
          const { x, y } = engine.toScreen({ x: ring[2 * index] ?? 0, y: ring[2 * index + 1] ?? 0 });
          return `${x.toFixed(1)} ${y.toFixed(1)}`;
        });
        return `M${corners.join('L')}Z`;
      });
      dark.current?.setAttribute('d', `M-9 -9H9999V9999H-9Z${parts.join('')}`);
    };
    draw();
    return engine.on('view', draw);
  }, [engine, rings]);
  return (
    <svg className={classes.light} aria-hidden>
      <path ref={dark} fillRule="evenodd" />
    </svg>
  );
};

/** Darkens everything except the current object. */
export function AttributeLight() {
  const isOn = useAnnotate((state) => state.mode === 'attributes' && !state.playing);
  const record = useAttributes((state) => targetAt(state.targets, state.place)?.record);
  return isOn && record?.kind === 'shape' ? <Light shape={record} /> : null;
}
