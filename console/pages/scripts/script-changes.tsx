import { Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { differenceOf, type ScriptChange } from './difference.ts';
import styles from './script.module.css';
import type { ScriptText } from './script-text.ts';
import { useChangeWords } from './use-change-words.ts';

interface ScriptChangesProps {
  before: ScriptText;
  after: ScriptText;
}

const TONES = { added: 'tone-answered', removed: 'tone-failed', changed: 'tone-waiting' } as const;

/** Table of differences between two versions of a script: each changed part by name, before and after. */
export function ScriptChanges({ before, after }: ScriptChangesProps) {
  const { t } = useTranslation();
  const changes = differenceOf(before, after);
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
          {changes.map(change => (
            <Change key={`${change.part} ${change.key}`} change={change} before={before} after={after} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function Change({ change, before, after }: ScriptChangesProps & { change: ScriptChange }) {
  const { t } = useTranslation();
  const { partName, memberName, valueWords } = useChangeWords(change);
  const { part, kind, members } = change;
  return (
    <Table.Tr className={styles.change}>
      <Table.Td>
        {t(`scriptPart.${part}`)} <code>{partName(kind === 'removed' ? before : after)}</code>
      </Table.Td>
      <Table.Td className={TONES[kind]}>{t(`scriptChange.${kind}`)}</Table.Td>
      <Table.Td>
        {members.map(({ name, was, is }) => (
          <div key={name} className={styles.member}>
            <span className="quiet">{memberName(name, after)}</span>
            {was !== undefined && <del>{valueWords(name, was, before)}</del>}
            {is !== undefined && <ins>{valueWords(name, is, after)}</ins>}
          </div>
        ))}
      </Table.Td>
    </Table.Tr>
  );
}
