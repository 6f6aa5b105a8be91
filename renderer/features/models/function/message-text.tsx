import { useText } from '../../../i18n/index.ts';
import { CodeView } from '../../../shared/code/code-view.tsx';
import { Text } from '../../../ui/kit.ts';

const toEnd = (element: HTMLElement | null): void => {
  if (element !== null) element.scrollTop = element.scrollHeight;
};

/** Message of the service, then the end of the function's own output. */
export function MessageText({ message }: { readonly message: string }) {
  const t = useText();
  const [sentence = '', ...rest] = message.split('\n');
  const said = rest.join('\n').trimEnd();
  return (
    <>
      <Text fz="sm" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
        {sentence}
      </Text>
      {said !== '' && (
        <CodeView key={said} ref={toEnd} wrap maxHeight={164} label={t('modelPage.lastWords')}>
          {said}
        </CodeView>
      )}
    </>
  );
}
