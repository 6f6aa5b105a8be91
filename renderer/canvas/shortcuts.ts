/**
 * A shortcut is modifiers and an `event.code`, joined by `+`: `Mod+Shift+KeyZ`, `Delete`, `Digit1`. Codes name the
 * place of a key, so a preset lies under the same fingers on every keyboard layout. With `Mod` (Ctrl, on a Mac Cmd)
 * they name the character, where the layout has Latin letters: Ctrl+Z is where Z is printed, as in other programs.
 * Two keys one after the other are separated by a space: `KeyT KeyL`.
 */
export type Shortcut = string;

/** The fields of a KeyboardEvent that count. */
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

/** The same shortcut always as the same text, whatever the order in which it was written. */
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

/** What was pressed, as one stroke of a shortcut. */
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

/** Characters that some layouts have where others have a letter. */
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

/** Whether the keyboard at hand has Cmd where others have Ctrl. */
export const isMacKeyboard = (): boolean => globalThis.navigator?.platform?.startsWith('Mac') ?? false;

/** For tooltips and the help page. `layout` gives the character on a key, as `navigator.keyboard.getLayoutMap()` does. */
export function formatShortcut(
  shortcut: Shortcut,
  options: { readonly isMac?: boolean; readonly layout?: { get(code: string): string | undefined } } = {},
): string {
  const { isMac = isMacKeyboard() } = options;
  const nameOf = (code: string, hasMod: boolean): string => {
    // Digits are called by their numbers where they are reached with Shift, too.
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
