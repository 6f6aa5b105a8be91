/** An Electron event whose listeners can prevent the default. */
export interface PreventableEvent {
  defaultPrevented: boolean;
  preventDefault(): void;
}

export function preventableEvent<Details extends object>(details: Details): PreventableEvent & Details {
  return {
    ...details,
    defaultPrevented: false,
    preventDefault() {
      this.defaultPrevented = true;
    },
  };
}
