/** Texts of the settings of languages. */
export const language = {
  language: {
    title: 'Language',
    language: 'Language',
    languageHint: 'Of all windows of this browser, at once.',
    system: 'Like the system ({{name}})',
    numbers: 'Numbers and dates',
    numbersLike: { language: 'Like the language', system: 'Like the system’s region' },
    names: 'Names of labels stay as they are',
    namesHint:
      'Labels, attributes and guides are data and never translated. Messages of the service and file formats are English.',
    always: 'always',
    failed: 'The language was not changed',
    failedText: 'Its texts could not be fetched: {{reason}} The one before stays. Is the service running? Try again.',
  },
};
