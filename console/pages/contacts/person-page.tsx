import { useQuery } from '@apollo/client/react';
import { Group, Skeleton, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { formatPhone } from '../../text/phone-number.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { PersonDocument } from './person.generated.ts';
import styles from './person.module.css';
import { AgentCalls, Calls } from './person-calls.tsx';
import { Contacts } from './person-contacts.tsx';
import { Results } from './person-results.tsx';
import { DoNotCall } from './person-do-not-call.tsx';

const MAX_NAMES = 3;

/** Everything about one number: its do-not-call entry, the campaigns that contain it, and every call to it. */
export function PersonPage() {
  const { t } = useTranslation();
  const { number = '' } = useParams();
  const { data, error } = useQuery(PersonDocument, { variables: { number } });
  const person = data?.person;
  if (!person) return error ? <Notice error={error} /> : <Skeleton height={300} />;
  const names = [...new Set(person.contacts.map(({ customerName }) => customerName).filter(name => name !== ''))];
  return (
    <div className={styles.page}>
      <title>{`${formatPhone(person.phoneNumber)} · Callout`}</title>
      <Group gap="sm" align="baseline">
        <PageHeading>{formatPhone(person.phoneNumber)}</PageHeading>
        <Text>{names.slice(0, MAX_NAMES).join(t('person.and'))}</Text>
      </Group>
      <DoNotCall number={person.phoneNumber} entry={person.doNotCall} />
      <Results contacts={person.contacts} />
      <Contacts contacts={person.contacts} />
      <Calls number={person.phoneNumber} />
      <AgentCalls number={person.phoneNumber} />
    </div>
  );
}
