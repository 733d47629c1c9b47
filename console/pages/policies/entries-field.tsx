import { Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { entriesOf } from './policy-values.ts';

interface EntriesFieldProps {
  label: string;
  about: string;
  text: string;
  change: (text: string) => void;
  error: string | undefined;
  /** Whether an entry has the right form; the server validates its meaning. */
  isRight: (entry: string) => boolean;
}

/** A text area of short entries, one per line, typed or pasted from a spreadsheet; it names the first malformed entry at once. */
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
