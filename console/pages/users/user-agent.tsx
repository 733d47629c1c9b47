import { useQuery } from '@apollo/client/react';
import { SegmentedControl, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type Field, FormFields } from '../../form/fields.tsx';
import { FormPart } from '../../form/form.tsx';
import type { Form } from '../../form/use-form.ts';
import { agentKindOf, KINDS, type UserValues } from './user-values.ts';
import { UserAgentsDocument } from './users.generated.ts';

/** The agent of a new user: a new one, one that has no user yet, or none. */
export function UserAgent({ form }: { form: Form<UserValues> }) {
  const { t } = useTranslation();
  const { data } = useQuery(UserAgentsDocument, { fetchPolicy: 'cache-and-network' });
  const kind = agentKindOf(form.values);
  if (form.values.role === 'ADMIN') return null;
  const free = (data?.agents ?? []).filter(({ userId }) => userId === null);
  const named = (rows: readonly { databaseId: string; name: string; phoneExtension?: string }[]) =>
    rows.map(({ databaseId, name, phoneExtension }) => ({ value: databaseId, label: [name, phoneExtension].filter(Boolean).join(' · ') }));
  const ofNew: readonly Field<UserValues>[] = [
    { kind: 'text', name: 'name', maxLength: 128, hasAbout: true },
    { kind: 'text', name: 'phoneExtension', maxLength: 32, hasAbout: true },
    { kind: 'choice', name: 'groupId', choices: named(data?.agentGroups ?? []), any: t('agents.noGroup') },
    { kind: 'secret', name: 'sipPassword', maxLength: 200, hasAbout: true },
  ];
  const ofKnown: readonly Field<UserValues>[] = [{ kind: 'choice', name: 'agentId', choices: named(free), isNeeded: true }];
  return (
    <FormPart title={t('users.field.agentKind')}>
      <SegmentedControl
        aria-label={t('users.field.agentKind')}
        value={kind}
        onChange={value => form.set({ agentKind: KINDS.find(each => each === value) ?? '' })}
        data={KINDS.map(value => ({ value, label: t(`userAgent.kind.${value}`) }))}
      />
      {kind === 'NEW' && <FormFields text="userAgent" fields={ofNew} form={form} isReadOnly={false} />}
      {kind === 'KNOWN' && free.length > 0 && <FormFields text="userAgent" fields={ofKnown} form={form} isReadOnly={false} />}
      {kind === 'KNOWN' && data && free.length === 0 && <Text className="quiet">{t('userAgent.noneFree')}</Text>}
      {kind === 'NONE' && <Text className="quiet">{t('userAgent.without')}</Text>}
    </FormPart>
  );
}
