/** What other resources ask of a resource's rows. */
export interface Rows<Row> {
  get(id: number): Row | undefined;
  touch(id: number, date: string): void;
}
