/**
 * Optimal assignment (Hungarian method with potentials, cubic time). Returns for each row its column, or −1 without
 * one, so that the sum of the costs is minimal. Makes min(rows, columns) pairs. Costs must be finite.
 */
export function assignOptimally(costs: readonly ArrayLike<number>[]): number[] {
  const rowCount = costs.length;
  const columnCount = costs[0]?.length ?? 0;
  if (rowCount === 0 || columnCount === 0) return Array.from({ length: rowCount }, () => -1);
  if (rowCount > columnCount) return assignByColumns(costs, rowCount, columnCount);
  return assignRows((row, column) => costs[row]![column]!, rowCount, columnCount);
}

function assignByColumns(costs: readonly ArrayLike<number>[], rowCount: number, columnCount: number): number[] {
  const columnOfRow = Array.from({ length: rowCount }, () => -1);
  assignRows((row, column) => costs[column]![row]!, columnCount, rowCount).forEach((row, column) => {
    columnOfRow[row] = column;
  });
  return columnOfRow;
}

/** Requires rowCount ≤ columnCount. Column 0 of the working arrays is the start of each search. */
function assignRows(cost: (row: number, column: number) => number, rowCount: number, columnCount: number): number[] {
  const rowPotential = new Float64Array(rowCount + 1);
  const columnPotential = new Float64Array(columnCount + 1);
  const rowOfColumn = new Int32Array(columnCount + 1);
  const previous = new Int32Array(columnCount + 1);
  for (let row = 1; row <= rowCount; row += 1) {
    rowOfColumn[0] = row;
    const slack = new Float64Array(columnCount + 1).fill(Infinity);
    const isVisited = new Uint8Array(columnCount + 1);
    let column = 0;
    while (rowOfColumn[column] !== 0) {
      isVisited[column] = 1;
      const currentRow = rowOfColumn[column]!;
      let smallest = Infinity;
      let next = 0;
      for (let candidate = 1; candidate <= columnCount; candidate += 1) {
        if (isVisited[candidate] === 1) continue;
        const reduced = cost(currentRow - 1, candidate - 1) - rowPotential[currentRow]! - columnPotential[candidate]!;
        if (reduced < slack[candidate]!) {
          slack[candidate] = reduced;
          previous[candidate] = column;
        }
        if (slack[candidate]! < smallest) {
          smallest = slack[candidate]!;
          next = candidate;
        }
      }
      for (let visited = 0; visited <= columnCount; visited += 1) {
        if (isVisited[visited] === 1) {
          rowPotential[rowOfColumn[visited]!]! += smallest;
          columnPotential[visited]! -= smallest;
        } else {
          slack[visited]! -= smallest;
        }
      }
      column = next;
    }
    while (column !== 0) {
      rowOfColumn[column] = rowOfColumn[previous[column]!]!;
      column = previous[column]!;
    }
  }
  const columnOfRow = Array.from({ length: rowCount }, () => -1);
  for (let column = 1; column <= columnCount; column += 1) {
    if (rowOfColumn[column] !== 0) columnOfRow[rowOfColumn[column]! - 1] = column - 1;
  }
  return columnOfRow;
}
