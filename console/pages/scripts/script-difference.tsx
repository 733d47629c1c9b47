import { useQuery } from '@apollo/client/react';
import { Group, Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../ui/notice.tsx';
import { useQueryState } from '../../ui/use-query-state.ts';
import { ScriptTextsDocument, type ScriptVersionHeadFragment } from './script.generated.ts';
import { ScriptChanges } from './script-changes.tsx';
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
      {shown && before ? <ScriptChanges before={readScript(before)} after={readScript(shown)} /> : !error && <Skeleton height={240} />}
    </>
  );
}
