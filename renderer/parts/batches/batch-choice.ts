import type { LabelChoice } from '../models/label-mapping.ts';

/** What a batch is about. */
export interface BatchTarget {
  /** `tasks`, `jobs`: what their list shows by a filter. */
  readonly kind: 'project' | 'task' | 'job' | 'tasks' | 'jobs';
  readonly id: number;
  readonly filter?: string;
  readonly name: string;
  /** Of a job: its task, whose labels it has. */
  readonly taskId?: number;
  /** Its frames, where they are known: a range of them can be chosen. */
  readonly frames?: { readonly first: number; readonly last: number };
}

/** What is chosen in the dialog. */
export interface Chosen {
  readonly model: string | null;
  readonly first: number | null;
  readonly last: number | null;
  readonly frames: 'all' | 'empty' | 'annotated';
  readonly withLabels: readonly string[];
  readonly withoutLabels: readonly string[];
  /** 0: as the function sets it. */
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
