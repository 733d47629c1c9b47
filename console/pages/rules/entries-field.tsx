import { Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { entriesOf } from './policy-values.ts';

interface EntriesFieldProps {
  label: string;
  about: string;
  text: string;
  change: (text: string) => void;
  error: string | undefined;
  /** Whether an entry looks as it must: the server judges what it is. */
  isRight: (entry: string) => boolean;
}

/** Many short entries, one a line: typed, or pasted from a sheet; the first that does not look right is named at once. */
export function EntriesField({ label, about, text, change, error, isRight }: EntriesFieldProps) {
  const { t } = useTranslation();
  const entries = entriesOf(text);
  const wrong = entries.find(entry => !isRight(entry));
  return (
    <Textarea
      label={`${label} · ${t('policyForm.entries', { count: entries.length })}`}
      description={about}
      autosize
      minRows={2}
      maxRows={10}
      spellCheck={false}
      value={text}
      error={error ?? (wrong === undefined ? undefined : t('policyForm.wrongEntry', { entry: wrong }))}
      onChange={event => change(event.currentTarget.value)}
    />
  );
}
