/** Hands the browser a file that was made here; it asks or not where to save it, as the person has set it. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The download has taken hold of the bytes by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
