/** Gives the keys to the picture, where a field or a button of the panel had them. */
export function focusPicture(): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}
