import { useMutation } from '@apollo/client/react';
import { Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { isRefusal } from '../../api/refusal.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Instant } from '../../ui/instant.tsx';
import { sayDone } from '../../ui/toast.ts';
import { TakeOverFacts, useTakeOver } from './take-over-facts.tsx';
import { ActivateScriptDocument, type ScriptHeadFragment, type ScriptVersionHeadFragment } from './script.generated.ts';

interface ScriptVersionsProps {
  script: ScriptHeadFragment;
  versions: readonly ScriptVersionHeadFragment[];
}

/** Every saved version: each can be read, compared with the one before, and put in force. */
export function ScriptVersions({ script, versions }: ScriptVersionsProps) {
  const { t } = useTranslation();
  const [activate] = useMutation(ActivateScriptDocument);
  const { databaseId: id, name, businessCode } = script;
  const takeOver = useTakeOver(id, businessCode);

  async function putInForce(version: number, reason: string): Promise<string | null> {
    const { data } = await activate({ variables: { id, version, reason } });
    if (isRefusal(data?.result)) return data.result.message;
    sayDone(t('script.activated', { name, version }));
    return null;
  }

  return (
    <div className="sheet">
      <Table.ScrollContainer minWidth={640}>
        <Table aria-label={t('script.versionsOf', { name })} verticalSpacing="sm" horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('scripts.version')}</Table.Th>
              <Table.Th>{t('script.savedAt')}</Table.Th>
              <Table.Th>{t('script.savedBy')}</Table.Th>
              <Table.Th>{t('script.hash')}</Table.Th>
              <Table.Th>{t('script.acts')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {versions.map(({ id: key, version, isCurrent, createdAt, createdBy, hash }, index) => {
              const before = versions[index + 1];
              return (
                <Table.Tr key={key}>
                  <Table.Td>
                    {version} {isCurrent && <CurrentMark isTaken={script.isTaken} />}
                  </Table.Td>
                  <Table.Td>
                    <Instant at={createdAt} />
                  </Table.Td>
                  <Table.Td>{createdBy?.displayName}</Table.Td>
                  <Table.Td>
                    <code title={hash}>{hash.slice(0, 12)}</code>
                  </Table.Td>
                  <Table.Td>
                    <Link to={{ search: `?version=${version}` }}>{t('script.read')}</Link>
                    {before && (
                      <>
                        {' · '}
                        <Link to={{ search: `?tab=difference&version=${version}&against=${before.version}` }}>
                          {t('script.compare', { version: before.version })}
                        </Link>
                      </>
                    )}
                    {!isCurrent && (
                      <>
                        {' '}
                        <ConfirmButton
                          size="compact-sm"
                          variant="default"
                          title={t('script.activateTitle', { name, version })}
                          warning={<TakeOverFacts takeOver={takeOver} />}
                          input={{ label: t('script.reason'), maxLength: 500, isRequired: takeOver?.isRunning === true }}
                          act={reason => putInForce(version, reason)}
                        >
                          {t('script.putInForce')}
                        </ConfirmButton>
                      </>
                    )}
                  </Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </div>
  );
}

/** The version that calls take; while no campaign takes the script it is only the one that would be taken. */
function CurrentMark({ isTaken }: { isTaken: boolean }) {
  const { t } = useTranslation();
  return <span className={isTaken ? 'tone-answered' : 'quiet'}>{t(isTaken ? 'script.current' : 'script.currentUnused')}</span>;
}
