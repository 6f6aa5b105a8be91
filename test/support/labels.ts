import type { Attribute, Label } from '../../preload/contract/schema/labels.ts';

export const makeLabel = (id: number, name: string, more: Partial<Label> = {}): Label => ({
  id,
  name,
  color: '#112233',
  attributes: [],
  type: 'any',
  has_parent: false,
  parent_id: null,
  sublabels: [],
  ...more,
});

export const makeAttribute = (id: number, name: string, more: Partial<Attribute> = {}): Attribute => ({
  id,
  name,
  mutable: false,
  input_type: 'text',
  default_value: '',
  values: [],
  ...more,
});
