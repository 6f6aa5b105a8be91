export interface Rows<Row> {
  get(id: number): Row | undefined;
  touch(id: number, date: string): void;
}
