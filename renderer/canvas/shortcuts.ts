/**
 * A shortcut is modifiers and an `event.code`, joined by `+`: `Mod+Shift+KeyZ`, `Delete`, `Digit1`. Codes name the
 * position of a key, so a preset is under the same fingers on every keyboard layout. With `Mod` (Ctrl, on a Mac Cmd)
 * they name the character on layouts with Latin letters: Ctrl+Z is at the printed Z, as in other programs. A space
 * separates two keys pressed in sequence: `KeyT KeyL`.
 */
export type Shortcut = string;

export interface KeyInput {
  readonly code: string;
  readonly key?: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

const modifierOrder = ['Mod', 'Ctrl', 'Alt', 'Shift'] as const;
const modifierCodes = /^(Control|Shift|Alt|Meta|OS)(Left|Right)?$/;

export const isModifierKey = (code: string): boolean => modifierCodes.test(code);

/** Canonical text of a shortcut, independent of the order of modifiers. */
export function normaliseShortcut(shortcut: Shortcut): Shortcut {
  return shortcut
    .trim()
    .split(/\s+/)
    .map((stroke) => {
      const parts = stroke.split('+');
      const code = parts.at(-1) ?? '';
      return [...modifierOrder.filter((modifier) => parts.slice(0, -1).includes(modifier)), code].join('+');
    })
    .join(' ');
}

export function strokeOf(key: KeyInput, isMac: boolean): Shortcut {
  const isMod = isMac ? key.metaKey : key.ctrlKey;
  const isCtrl = isMac && key.ctrlKey;
  return [
    ...(isMod ? ['Mod'] : []),
    ...(isCtrl ? ['Ctrl'] : []),
    ...(key.altKey ? ['Alt'] : []),
    ...(key.shiftKey ? ['Shift'] : []),
    isMod && !key.altKey ? codeOfCharacter(key) : codeOfPlace(key),
  ].join('+');
}

/** Without Num Lock the digits of the number pad are other keys. */
function codeOfPlace({ code, key }: KeyInput): string {
  if (/^Numpad\d$/.test(code)) return key === undefined || /^\d$/.test(key) ? code.replace('Numpad', 'Digit') : code;
  return code.replace(/^Numpad(Enter|Add|Subtract)$/, (_, name: string) => numpadTwins[name] ?? name);
}

function codeOfCharacter(input: KeyInput): string {
  const { code, key = '' } = input;
  if (/^[a-z]$/i.test(key)) return `Key${key.toUpperCase()}`;
  return (code.startsWith('Key') ? punctuationCodes[key] : undefined) ?? codeOfPlace(input);
}

/** Characters that some layouts have in place of letters. */
const punctuationCodes: Readonly<Record<string, string>> = {
  ',': 'Comma',
  '.': 'Period',
  ';': 'Semicolon',
  "'": 'Quote',
  '/': 'Slash',
  '-': 'Minus',
  '=': 'Equal',
};

const numpadTwins: Readonly<Record<string, string>> = { Enter: 'Enter', Add: 'Equal', Subtract: 'Minus' };

const keyNames: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  BracketLeft: '[',
  BracketRight: ']',
  Equal: '+',
  Minus: '−',
  Slash: '/',
  Backquote: '`',
  Comma: ',',
  Period: '.',
  Escape: 'Esc',
  Delete: 'Del',
  Quote: "'",
  Semicolon: ';',
  Backslash: '\\',
  PageUp: 'Page ↑',
  PageDown: 'Page ↓',
};

/** At most two strokes, each of modifiers and an `event.code`. */
export const isShortcut = (text: string): boolean =>
  /^((Mod|Ctrl|Alt|Shift)\+)*[A-Z]\w*( ((Mod|Ctrl|Alt|Shift)\+)*[A-Z]\w*)?$/.test(text);

/** True if the keyboard has Cmd in place of Ctrl. */
export const isMacKeyboard = (): boolean => globalThis.navigator?.platform?.startsWith('Mac') ?? false;

/**
 * Text for tooltips and the help page. `layout` gives the character on a key, like `navigator.keyboard.getLayoutMap()`.
 */
export function formatShortcut(
  shortcut: Shortcut,
  options: { readonly isMac?: boolean; readonly layout?: { get(code: string): string | undefined } } = {},
): string {
  const { isMac = isMacKeyboard() } = options;
  const nameOf = (code: string, hasMod: boolean): string => {
    // Digits keep their number even if they need Shift on the layout.
    const onKey = code.startsWith('Digit') ? undefined : options.layout?.get(code);
    const isCharacter = hasMod && code.startsWith('Key') && onKey !== undefined && /^[ -~]$/.test(onKey);
    const printed = isCharacter ? undefined : onKey;
    if (printed !== undefined && printed.trim() !== '') return printed.toUpperCase();
    return keyNames[code] ?? code.replace(/^(Key|Digit)/, '');
  };
  const strokes = normaliseShortcut(shortcut).split(' ');
  return strokes
    .map((stroke) => {
      const parts = stroke.split('+');
      const modifiers = parts.slice(0, -1).map((part) => (part === 'Mod' ? (isMac ? '⌘' : 'Ctrl') : part));
      return [...modifiers, nameOf(parts.at(-1) ?? '', parts.includes('Mod') && !parts.includes('Alt'))].join('+');
    })
    .join(' ');
}
