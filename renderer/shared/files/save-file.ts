/** Downloads a generated file, with or without a save dialog by the browser's settings. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The download holds the bytes by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
