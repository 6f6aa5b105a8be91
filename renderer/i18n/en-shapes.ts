/** What types of shapes are called: on tools, in lists of objects and where a label's type is chosen. */
export const shapeNames = {
  rectangle: 'Rectangle',
  polygon: 'Polygon',
  polyline: 'Polyline',
  points: 'Points',
  ellipse: 'Ellipse',
  cuboid: 'Cuboid',
  mask: 'Mask',
  skeleton: 'Skeleton',
};
