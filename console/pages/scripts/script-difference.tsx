import { useQuery } from '@apollo/client/react';
import { Group, Skeleton, Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../ui/notice.tsx';
import { useQueryState } from '../../ui/use-query-state.ts';
import { differenceOf, type ScriptChange } from './difference.ts';
import { ScriptTextsDocument, type ScriptVersionHeadFragment } from './script.generated.ts';
import styles from './script.module.css';
import { readScript } from './script-text.ts';
import { VersionSelect } from './version-select.tsx';

interface ScriptDifferenceProps {
  id: string;
  versions: readonly ScriptVersionHeadFragment[];
  current: number;
  isTaken: boolean;
}

/** Differences between one version and another. */
export function ScriptDifference({ id, versions, current, isTaken }: ScriptDifferenceProps) {
  const { t } = useTranslation();
  const [wanted, choose] = useQueryState('version');
  const [other, compare] = useQueryState('against');
  const version = Number(wanted) || current;
  const against = Number(other) || versions.find(each => each.version < version)?.version || version;
  const { data, error } = useQuery(ScriptTextsDocument, { variables: { id, version, against, isCompared: true } });
  const { shown, before } = data?.script ?? {};
  return (
    <>
      <Group gap="sm" mb="md">
        <VersionSelect label={t('script.before')} versions={versions} isTaken={isTaken} value={against} choose={compare} />
        <VersionSelect label={t('script.after')} versions={versions} isTaken={isTaken} value={version} choose={choose} />
      </Group>
      {error && <Notice error={error} />}
      {shown && before ? <Changes changes={differenceOf(readScript(before), readScript(shown))} /> : !error && <Skeleton height={240} />}
    </>
  );
}

const TONES = { added: 'tone-answered', removed: 'tone-failed', changed: 'tone-waiting' } as const;

function Changes({ changes }: { changes: readonly ScriptChange[] }) {
  const { t } = useTranslation();
  if (changes.length === 0) return <p className="quiet">{t('script.same')}</p>;
  return (
    <div className="sheet">
      <Table aria-label={t('script.difference')} verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={220}>{t('script.what')}</Table.Th>
            <Table.Th w={110}>{t('script.kind')}</Table.Th>
            <Table.Th>{t('script.fromTo')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changes.map(({ part, key, kind, members }) => (
            <Table.Tr key={`${part} ${key}`} className={styles.change}>
              <Table.Td>
                {t(`scriptPart.${part}`)} <code>{key}</code>
              </Table.Td>
              <Table.Td className={TONES[kind]}>{t(`scriptChange.${kind}`)}</Table.Td>
              <Table.Td>
                {members.map(({ name, before, after }) => (
                  <div key={name} className={styles.member}>
                    <span className="quiet">{name}</span>
                    {before && <del>{before}</del>}
                    {after && <ins>{after}</ins>}
                  </div>
                ))}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
