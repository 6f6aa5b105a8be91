/** Subjects are `area: imperative summary`, `area(part): …` or `area, area: …`; docs/contributing/style.md shows examples. */
export default {
  parserPreset: {
    parserOpts: {
      headerPattern: /^([\w-]+(?:, [\w-]+)*)(?:\(([^)]+)\))?: (.+)$/,
      headerCorrespondence: ['type', 'scope', 'subject'],
    },
  },
  rules: {
    'header-max-length': [2, 'always', 72],
    'type-empty': [2, 'never'],
    'subject-empty': [2, 'never'],
    'subject-full-stop': [2, 'never', '.'],
    'subject-case': [2, 'never', ['sentence-case', 'start-case', 'pascal-case', 'upper-case']],
    'body-leading-blank': [2, 'always'],
  },
};
