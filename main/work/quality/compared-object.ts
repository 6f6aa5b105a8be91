import type { ShapeType } from '../../../preload/contract/schema/annotations.ts';
import type { AnnotationId } from '../../../preload/contract/schema/quality.ts';

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** What stands on one frame: a tag, a shape, or what a track shows there. */
export interface ComparedObject {
  readonly id: AnnotationId;
  readonly labelId: number;
  readonly type: ShapeType | 'tag';
  readonly points: readonly number[];
  readonly rotation: number;
  readonly zOrder: number;
  /** 0: none. */
  readonly group: number;
  /** Values by attribute. */
  readonly attributes: ReadonlyMap<number, string>;
  /** Points of a skeleton that are drawn, by label. */
  readonly elements: ReadonlyMap<number, readonly number[]>;
}
