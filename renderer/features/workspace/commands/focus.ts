/** Focuses an input of a panel. The input or an element around it has the attribute `data-input`. */
export const focusInput = (name: 'frame' | 'label' | 'attribute' | 'naming'): void =>
  document.querySelector<HTMLInputElement>(`[data-input='${name}'] input, input[data-input='${name}']`)?.focus();

/** Text fields and dialogs take all keys while they have the focus. */
export function keyBelongsElsewhere(event: KeyboardEvent): boolean {
  const { target } = event;
  if (!(target instanceof HTMLElement)) return false;
  // A permanent listbox of the screen takes only its own keys.
  if (target.closest('[role="dialog"], [role="menu"], [role="listbox"]:not([data-keeps-keys])') !== null) return true;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true;
  if (event.code === 'Tab') return walksControls(target);
  // Space toggles a switch that got its focus from the keyboard. After a click, Space belongs to the canvas again.
  if (event.code === 'Space' && target instanceof HTMLInputElement && target.matches(':focus-visible')) return true;
  if (target instanceof HTMLInputElement) return !takesNoText(target);
  if (target.getAttribute('role') === 'slider') return event.code.startsWith('Arrow');
  return target instanceof HTMLButtonElement && (event.code === 'Enter' || event.code === 'Space');
}

const takesNoText = ({ type }: HTMLInputElement): boolean => ['checkbox', 'radio', 'button', 'range'].includes(type);

/**
 * Tab moves through controls in a panel, and through objects on the canvas. Focus from the keyboard stays with the
 * controls. After a click on a control without text input, Tab belongs to the canvas again.
 */
function walksControls(target: HTMLElement): boolean {
  if (target instanceof HTMLInputElement && !takesNoText(target)) return true;
  const isOnPicture = target === document.body || target.closest('[data-canvas]') !== null;
  if (isOnPicture) return target.matches('button:focus-visible');
  const isSwitch = target instanceof HTMLInputElement || target.role === 'slider';
  return !isSwitch || target.matches(':focus-visible');
}

export function focusPicture(): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

export const keepFocus = (event: { target: EventTarget; preventDefault: () => void }): void => {
  const { target } = event;
  if (target instanceof Element && target.closest('button') !== null) event.preventDefault();
};
