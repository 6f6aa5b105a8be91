/** Only these lead anywhere: whatever else somebody typed stays text. */
export const isWebAddress = (text: string): boolean => /^https?:\/\/[^\s]+$/i.test(text) && URL.canParse(text);
