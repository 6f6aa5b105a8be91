import type { ShapeType } from '../../preload/contract/schema/annotations.ts';
import type { Label } from '../../preload/contract/schema/labels.ts';
import type { FilterObject } from '../../preload/geometry/filter-match.ts';
import type { AnnotationId } from '../../preload/contract/schema/quality.ts';

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

export type ComparedLabel = Pick<Label, 'id' | 'name' | 'attributes'> & {
  readonly sublabels: readonly Pick<Label, 'id' | 'name'>[];
};

/** A point of a skeleton; null if it is not on the frame. */
export type ComparedElement = { readonly x: number; readonly y: number; readonly isVisible: boolean } | null;

/** A tag, a shape, or the shape of a track on one frame. */
export interface ComparedObject {
  readonly id: AnnotationId;
  readonly labelId: number;
  readonly type: ShapeType | 'tag';
  readonly points: readonly number[];
  readonly rotation: number;
  readonly zOrder: number;
  /** 0: none. */
  readonly group: number;
  /**
   * Values by attribute id; numbers and checkboxes are parsed. Shapes have `occluded` beside the label's attributes.
   */
  readonly attributes: ReadonlyMap<number | 'occluded', string | number | boolean>;
  /** Elements of a skeleton, in the order of its sublabels. */
  readonly elements: readonly ComparedElement[];
  /** Properties that filters test. */
  readonly facts?: FilterObject;
}
