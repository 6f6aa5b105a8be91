/** What a function asks of the cards. */
export interface CardNeed {
  readonly functionName: string;
  readonly count: number;
  /** Indexes or UUIDs; empty: any. */
  readonly devices: readonly string[];
  readonly workers: number;
  /** As declared, or the most that was measured on any card; null: unknown. */
  readonly perWorkerMiB: number | null;
  /** For cards on which it was measured. */
  readonly measured?: Readonly<Record<string, number>>;
  /** Cards that its container, which stands ready, was made for. */
  readonly preferred?: readonly string[];
}
