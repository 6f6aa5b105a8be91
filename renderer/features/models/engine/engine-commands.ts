/** Commands that a message about the Engine contains, each with a copy button. */
export const commandsIn = (message: string): string[] =>
  [...message.matchAll(/\bsudo (?:[\w"$ /-]|\.(?=\w))+/g)].map(([command]) => command.trim());
