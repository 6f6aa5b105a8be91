import { useText } from '../../../i18n/index.ts';
import { Anchor, Mono } from '../../../ui/kit.ts';
import { findingOf } from './finding.ts';
import classes from './check-panel.module.css';

interface FindingListProps {
  readonly sentences: readonly string[];
  /** Goes to a line of the configuration if it is shown. */
  readonly onLine?: ((line: number) => void) | undefined;
}

export function FindingList({ sentences, onLine }: FindingListProps) {
  const t = useText();
  return (
    <ul className={classes.findings}>
      {sentences.map((sentence) => {
        const finding = findingOf(sentence);
        if (finding === null) return <li key={sentence}>{sentence}</li>;
        const { file, line, key, message } = finding;
        return (
          <li key={sentence}>
            <span className={classes.place}>
              {file}
              {line !== null && ', '}
              {line !== null &&
                (onLine === undefined ? (
                  t('modelDeploy.line', { line })
                ) : (
                  <Anchor
                    component="button"
                    type="button"
                    inherit
                    aria-label={t('modelDeploy.goToLine', { line })}
                    onClick={() => onLine(line)}
                  >
                    {t('modelDeploy.line', { line })}
                  </Anchor>
                ))}
              {key !== '' && ', '}
              {key !== '' && <Mono>{key}</Mono>}
            </span>{' '}
            {message}
          </li>
        );
      })}
    </ul>
  );
}
