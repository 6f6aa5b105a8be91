import { useState } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { chooseLanguage, useText } from '../../i18n/index.ts';
import {
  formatNumber,
  languageChoice,
  languageIds,
  languageOf,
  languages,
  numberChoice,
  type LanguageChoice,
  type NumberChoice,
} from '../../i18n/language.ts';
import { formatDate } from '../../shared/format-text.ts';
import { Dimmed, ChoiceField } from '../../ui/kit.ts';
import { notify } from '../../ui/notify.ts';
import { SectionHead } from '../../ui/section-head.tsx';
import { SettingRow } from './setting-row.tsx';

export function LanguageSection() {
  const t = useText();
  const [language, setLanguage] = useState(languageChoice);
  const [numbers, setNumbers] = useState(numberChoice);
  const choose = async (nextLanguage: LanguageChoice, nextNumbers: NumberChoice): Promise<void> => {
    try {
      await chooseLanguage(nextLanguage, nextNumbers);
      setLanguage(nextLanguage);
      setNumbers(nextNumbers);
    } catch (error) {
      notify.failure(t('language.failed'), t('language.failedText', { reason: messageOf(error) }));
    }
  };
  const example = `${formatDate(new Date(2026, 10, 22, 14, 5).toISOString())} · ${formatNumber(1234.5)} px`;
  return (
    <section>
      <SectionHead title={t('language.title')} />
      <SettingRow name={t('language.language')} hint={t('language.languageHint')}>
        <ChoiceField
          w={240}
          aria-label={t('language.language')}
          data={[
            { value: 'system', label: t('language.system', { name: languages[languageOf('system')] }) },
            ...languageIds.map((id) => ({ value: id, label: languages[id] })),
          ]}
          value={language}
          // The values come from the lists above, here and below.
          onChange={(value) => void choose(value, numbers)}
        />
      </SettingRow>
      <SettingRow name={t('language.numbers')} hint={example}>
        <ChoiceField
          w={240}
          aria-label={t('language.numbers')}
          data={(['language', 'system'] as const).map((value) => ({
            value,
            label: t(`language.numbersLike.${value}`),
          }))}
          value={numbers}
          onChange={(value) => void choose(language, value)}
        />
      </SettingRow>
      <SettingRow name={t('language.names')} hint={t('language.namesHint')}>
        <Dimmed>{t('language.always')}</Dimmed>
      </SettingRow>
    </section>
  );
}
