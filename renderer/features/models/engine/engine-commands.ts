/** Commands that a sentence about the Engine names, each to be copied by itself. */
export const commandsIn = (message: string): string[] =>
  [...message.matchAll(/\bsudo (?:[\w"$ /-]|\.(?=\w))+/g)].map(([command]) => command.trim());
