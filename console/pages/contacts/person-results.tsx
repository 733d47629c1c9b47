import { Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Facts } from '../../ui/facts.tsx';
import { useContactResults } from '../results/contact-results.tsx';
import type { ContactResultFragment } from '../results/results.generated.ts';
import type { PersonContactFragment } from './person.generated.ts';
import styles from './person.module.css';

/** Shows the latest value of each field that calls of any campaign found out; renders nothing when there is none. */
export function Results({ contacts }: { contacts: readonly PersonContactFragment[] }) {
  const { t } = useTranslation();
  const facts = useContactResults();
  const found = latestOf(contacts.flatMap(({ resultFields }) => resultFields));
  if (found.length === 0) return null;
  return (
    <section className={`sheet ${styles.sheet}`} aria-label={t('results.ofPerson')}>
      <Title order={2} mb="xs">
        {t('results.ofPerson')}
      </Title>
      <Facts facts={facts(found)} />
    </section>
  );
}

function latestOf(all: readonly ContactResultFragment[]): ContactResultFragment[] {
  const latest = new Map<string, ContactResultFragment>();
  for (const field of all) if ((latest.get(field.key)?.at ?? '') < field.at) latest.set(field.key, field);
  return [...latest.values()];
}
