import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatDateTime } from '../../text/format.ts';
import type { Fact } from '../../ui/facts.tsx';
import { nameOfField } from './result-values.ts';
import type { ContactResultFragment } from './results.generated.ts';
import { useResultWords } from './use-result-words.ts';

/** Makes a fact of each value that calls found out; it links to its call. */
export function useContactResults(): (found: readonly ContactResultFragment[]) => Fact[] {
  const { t } = useTranslation();
  const words = useResultWords();
  return found =>
    found.map(field => [
      nameOfField(field),
      <Link key={field.key} to={`/calls/${field.attemptId}`} title={t('results.ofCallAt', { at: formatDateTime(field.at) })}>
        {words(field, field.value)}
      </Link>,
    ]);
}
