import { useText } from '../../../i18n/index.ts';
import { JsonView, prettyJson, CopyIconButton } from '../../../shared/code/code-view.tsx';
import { Dimmed, Hint } from '../../../ui/kit.ts';
import { Facts } from '../../../ui/panel.tsx';
import classes from './http-message.module.css';

interface HttpMessageProps {
  /** First line: method and address, or the status. */
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A request or response: headers, and the body, formatted if it is JSON. */
export function HttpMessage({ line, headers, body }: HttpMessageProps) {
  const t = useText();
  const entries = Object.entries(headers);
  const headerText = entries.map(([name, value]) => `${name}: ${value}`).join('\n');
  return (
    <div className={classes.exchange}>
      <code className={classes.firstLine}>{line}</code>
      {entries.length > 0 && (
        <section>
          <div className={classes.partHead}>
            <Hint>{t('webhookLog.headers')}</Hint>
            <CopyIconButton value={headerText} label={t('webhookLog.copyHeaders')} />
          </div>
          <Facts facts={entries} width="minmax(120px, max-content)" mono />
        </section>
      )}
      <section>
        <div className={classes.partHead}>
          <Hint>{t('webhookLog.body')}</Hint>
          {body !== '' && <CopyIconButton value={prettyJson(body) ?? body} label={t('webhookLog.copyBody')} />}
        </div>
        {body === '' ? (
          <Dimmed>{t('webhookLog.noBody')}</Dimmed>
        ) : (
          <JsonView text={body} label={t('webhookLog.body')} />
        )}
      </section>
    </div>
  );
}
