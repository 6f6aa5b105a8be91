import type { LabelChoice } from '../models/model-labels.ts';

export interface BatchTarget {
  /** `tasks` and `jobs` are filtered lists. */
  readonly kind: 'project' | 'task' | 'job' | 'tasks' | 'jobs';
  readonly id: number;
  readonly filter?: string;
  readonly name: string;
  /** Only for a job: its task, which has the labels. */
  readonly taskId?: number;
  /** Known frames, from which a range can be chosen. */
  readonly frames?: { readonly first: number; readonly last: number };
}

export interface Chosen {
  readonly model: string | null;
  readonly first: number | null;
  readonly last: number | null;
  readonly frames: 'all' | 'empty' | 'annotated';
  readonly withLabels: readonly string[];
  readonly withoutLabels: readonly string[];
  /** 0 uses the function's default. */
  readonly threshold: number;
  readonly labels: LabelChoice;
  readonly masksToPolygons: boolean;
  readonly results: 'annotations' | 'predictions';
  readonly name: string;
  readonly priority: number;
}

export const initial: Chosen = {
  model: null,
  first: null,
  last: null,
  frames: 'all',
  withLabels: [],
  withoutLabels: [],
  threshold: 0,
  labels: {},
  masksToPolygons: false,
  results: 'annotations',
  name: '',
  priority: 0,
};

export interface PartProps {
  readonly chosen: Chosen;
  readonly onChange: (change: Partial<Chosen>) => void;
}

export const numberOf = (value: number | string): number | null => (value === '' ? null : Number(value));
