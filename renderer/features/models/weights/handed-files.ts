/** Files that were dropped on another screen, on their way to the one that takes them. */
let handed: readonly File[] = [];

export function handFiles(files: readonly File[]): void {
  handed = files;
}

export function takeHandedFiles(): readonly File[] {
  const files = handed;
  handed = [];
  return files;
}

export const isWeights = ({ name }: File): boolean => /\.onnx$/i.test(name);
