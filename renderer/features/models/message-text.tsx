import { useText } from '../../i18n/index.ts';
import { Text } from '../../ui/kit.ts';
import classes from './models.module.css';

/** The last words tell most. */
const toEnd = (element: HTMLElement | null): void => {
  if (element !== null) element.scrollTop = element.scrollHeight;
};

/** A sentence of the service, and below it what the function itself said, the end of it in view. */
export function MessageText({ message }: { readonly message: string }) {
  const t = useText();
  const [sentence = '', ...rest] = message.split('\n');
  const said = rest.join('\n').trimEnd();
  return (
    <>
      <Text fz="sm" className={classes.lines ?? ''}>
        {sentence}
      </Text>
      {said !== '' && (
        <pre
          key={said}
          ref={toEnd}
          className={classes.words}
          tabIndex={0}
          role="region"
          aria-label={t('modelPage.lastWords')}
        >
          {said}
        </pre>
      )}
    </>
  );
}
