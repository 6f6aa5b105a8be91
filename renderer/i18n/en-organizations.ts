/** Texts of organizations, their members and invitations. */
export const organizations = {
  organizations: {
    context: 'Show the work of',
    contextLabel: 'Working in: {{name}}',
    contextLost: '“{{slug}}” is not there any more. You now see your personal work.',
    personal: 'Personal',
    manage: 'Manage organizations',
  },
};
