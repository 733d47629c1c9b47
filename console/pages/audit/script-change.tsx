import { useQuery } from '@apollo/client/react';
import { Skeleton, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Notice } from '../../ui/notice.tsx';
import { ScriptTextsDocument } from '../scripts/script.generated.ts';
import { ScriptChanges } from '../scripts/script-changes.tsx';
import { readScript } from '../scripts/script-text.ts';

interface ScriptChangeProps {
  id: string;
  /** Version before the change. */
  before: unknown;
  /** Version after it. */
  after: unknown;
}

/** What a new version of a script says otherwise than the one before; nothing when the version stayed. */
export function ScriptChange({ id, before, after }: ScriptChangeProps) {
  if (typeof before !== 'number' || typeof after !== 'number') return null;
  return <Versions id={id} against={before} version={after} />;
}

function Versions({ id, against, version }: { id: string; against: number; version: number }) {
  const { t } = useTranslation();
  const { data, error } = useQuery(ScriptTextsDocument, { variables: { id, version, against, isCompared: true } });
  const { shown, before } = data?.script ?? {};
  if (data && !data.script) return null;
  return (
    <section>
      <Title order={3} mt="md" mb="xs">
        <Link to={`/scripts/${id}?tab=difference&version=${version}&against=${against}`}>{t('script.difference')}</Link>
      </Title>
      {error && <Notice error={error} />}
      {shown && before ? (
        <ScriptChanges before={readScript(before)} after={readScript(shown)} />
      ) : (
        !error && <Skeleton height={120} />
      )}
    </section>
  );
}
