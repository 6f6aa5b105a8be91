import type { ClientId, Point, ShapeRecord } from '../../../canvas/types.ts';

export interface MenuRequest {
  /** Null for the frame menu. */
  readonly id: ClientId | null;
  readonly vertex: number | null;
  readonly at: Point;
  /** Origin of `at`. */
  readonly within: 'window' | 'parent';
}

export interface MenuProps extends Pick<MenuRequest, 'at' | 'within'> {
  readonly onClose: () => void;
}

export interface ShapeMenuProps extends MenuProps {
  readonly shape: ShapeRecord;
}
