/** Texts of the pages of a project and of a task. */
export const pages = {
  pages: {
    overview: 'Overview',
    jobs: 'Jobs',
    tasks: 'Tasks',
    labels: 'Labels',
    guide: 'Guide',
    changes: 'Changes',
    details: 'Details',
    noChangesTitle: 'Nothing to take back',
    noChangesText: 'What was cleared, replaced, imported or deleted with a label stands here for a while.',
    progress_one: '{{done}} of {{count}} job done',
    progress_other: '{{done}} of {{count}} jobs done',
    inValidation: '{{count}} in validation',
    leaveTitle: 'Leave without saving?',
    leaveText: '{{what}} would be lost.',
    leave: 'Leave',
    stay: 'Stay',
    unsavedLabels: 'The changes of the labels',
  },
} as const;
