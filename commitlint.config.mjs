/** Subjects are `area: imperative summary` or `area(part): …`; the docs' page on style shows examples. */
export default {
  rules: {
    'header-max-length': [2, 'always', 72],
    'type-empty': [2, 'never'],
    'subject-empty': [2, 'never'],
    'subject-full-stop': [2, 'never', '.'],
    'subject-case': [2, 'never', ['sentence-case', 'start-case', 'pascal-case', 'upper-case']],
    'body-leading-blank': [2, 'always'],
  },
};
