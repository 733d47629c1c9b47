import { useQuery } from '@apollo/client/react';
import { Skeleton, Table, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useServerWords } from '../../text/server-words.ts';
import { Notice } from '../../ui/notice.tsx';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { RolesDocument, type RolesQuery } from './users.generated.ts';

export const ROLES = ['ADMIN', 'SUPERVISOR', 'AGENT'] as const;
export type Role = (typeof ROLES)[number];

type Permissions = NonNullable<RolesQuery['rolePermissions']>;

function holds({ roles }: Permissions, role: Role, permission: string): boolean {
  return roles.some(row => row.role === role && row.permissions.includes(permission));
}

/** Every permission, and the roles that have it. */
export function RoleTable() {
  const { t } = useTranslation();
  const { data, error } = useQuery(RolesDocument);
  const isNarrow = useIsNarrow();
  const all = data?.rolePermissions;
  if (!all) return error ? <Notice error={error} /> : <Skeleton height={300} />;
  return (
    <div className="sheet">
      <Table.ScrollContainer minWidth={isNarrow ? 320 : 560}>
        <Table verticalSpacing="sm" horizontalSpacing={isNarrow ? 6 : 'md'}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('users.permission')}</Table.Th>
              {ROLES.map(role => (
                <Table.Th key={role} ta="center" fz={isNarrow ? 'xs' : undefined}>
                  {t(`roles.${role}`)}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {all.permissions.map(permission => (
              <Table.Tr key={permission.key}>
                <Table.Td>
                  <Permission permission={permission} />
                </Table.Td>
                {ROLES.map(role => (
                  <Table.Td key={role} ta="center">
                    <Mark isHeld={holds(all, role, permission.key)} />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </div>
  );
}

/** Permissions that one role has, and those it lacks. */
export function RoleFacts({ role }: { role: Role }) {
  const { t } = useTranslation();
  const { data } = useQuery(RolesDocument);
  const all = data?.rolePermissions;
  if (!all) return null;
  return (
    <section>
      <Title order={3} mt="xl" mb="xs">
        {t('users.mayDo', { role: t(`roles.${role}`) })}
      </Title>
      <Table verticalSpacing={6}>
        <Table.Tbody>
          {all.permissions.map(permission => (
            <Table.Tr key={permission.key}>
              <Table.Td w={36}>
                <Mark isHeld={holds(all, role, permission.key)} />
              </Table.Td>
              <Table.Td>
                <Permission permission={permission} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

function Permission({ permission }: { permission: Permissions['permissions'][number] }) {
  const words = useServerWords();
  const { label, description } = permission;
  // A colon would separate namespaces of the texts.
  const key = permission.key.replace(':', '_');
  return (
    <>
      <Text fw={500}>{words(`permission.${key}.label`, label)}</Text>
      <Text size="xs" className="quiet">
        {words(`permission.${key}.about`, description)}
      </Text>
    </>
  );
}

function Mark({ isHeld }: { isHeld: boolean }) {
  const { t } = useTranslation();
  return (
    <span className={isHeld ? 'tone-answered' : 'quiet'} role="img" aria-label={t(isHeld ? 'users.may' : 'users.mayNot')}>
      {isHeld ? '✓' : '–'}
    </span>
  );
}
