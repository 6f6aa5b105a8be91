import { attributeOf, pointOf } from './scenes.ts';

export const attribute = (name: string, mutable = false) => attributeOf(name, 'text', [], mutable);
export const skeleton = (name: string, sublabels: readonly string[]) => ({
  name,
  type: 'skeleton',
  sublabels: sublabels.map(pointOf),
});
