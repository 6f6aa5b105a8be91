const takenKeyCode = 229;

/**
 * While an input method (Japanese, Chinese, Korean, dead keys) composes text in a field, its keys belong to it: the
 * Enter that confirms a conversion must not submit a form. A single capturing listener, so that no field needs its own
 * check. Outside of fields, keys stay shortcuts with any input method.
 */
export function keepComposedKeys(target: Window): () => void {
  const hold = (event: KeyboardEvent): void => {
    // oxlint-disable-next-line typescript/no-deprecated -- Safari ends the composition before the key, and says so only here
    const isTaken = event.isComposing || event.keyCode === takenKeyCode;
    const field = event.target;
    const isField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
    if (isTaken && (isField || (field instanceof HTMLElement && field.isContentEditable))) event.stopPropagation();
  };
  target.addEventListener('keydown', hold, { capture: true });
  return () => target.removeEventListener('keydown', hold, { capture: true });
}
