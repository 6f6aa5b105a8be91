/** Texts of the log. */
export const logs = {
  logs: {
    title: 'Log',
    intro: 'What Limner has written down of itself, without secrets: the latest 25 megabytes, on this computer only.',
    search: 'A part of a line, or the id of a request',
    level: 'From this level on',
    levels: { debug: 'Everything', info: 'Information', warn: 'Warnings', error: 'Errors' },
    short: { debug: 'debug', info: 'info', warn: 'warning', error: 'error' },
    nothingFound: 'No line like that.',
    emptyTitle: 'Nothing was written yet',
    emptyText: 'Starts, requests that failed, and what is done in the background stand here.',
    older: 'Show older ones',
    fields: 'More about this line',
    report: 'Save a report…',
    reportTitle: 'A report for somebody who helps',
    reportText:
      'It is saved as a file and sent nowhere. Passwords, tokens and other secrets are masked in the log; names of files, tasks and people are not. This is in it:',
    save: 'Save',
  },
};
