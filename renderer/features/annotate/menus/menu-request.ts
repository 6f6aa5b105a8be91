import type { ClientId, Point, ShapeRecord } from '../../../canvas/types.ts';

export interface MenuRequest {
  /** Null: of the frame. */
  readonly id: ClientId | null;
  /** Index of the point under the pointer. */
  readonly vertex: number | null;
  readonly at: Point;
  /** What `at` is measured from. */
  readonly within: 'window' | 'parent';
}

export interface MenuProps extends Pick<MenuRequest, 'at' | 'within'> {
  readonly onClose: () => void;
}

export interface ShapeMenuProps extends MenuProps {
  readonly shape: ShapeRecord;
}
