/** A row of a sheet that is not empty. `index` is 0-based in its sheet. */
export interface SheetRow {
  index: number;
  cells: readonly string[];
  /** Of merged cells, by their first column: their last one. */
  spans?: ReadonlyMap<number, number>;
}
