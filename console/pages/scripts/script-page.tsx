import { useMutation, useQuery } from '@apollo/client/react';
import { Alert, Button, Group, Skeleton, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { isRefusal } from '../../api/refusal.ts';
import { NotFoundPage } from '../../shell/not-found-page.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { sayDone } from '../../ui/toast.ts';
import { ActivateScriptDocument, DeactivateScriptDocument, ScriptDocument, type ScriptHeadFragment } from './script.generated.ts';
import { ScriptActivations } from './script-activations.tsx';
import { ScriptCampaigns } from './script-campaigns.tsx';
import { ScriptDifference } from './script-difference.tsx';
import { ScriptReading } from './script-reading.tsx';
import { ScriptState } from './script-state.tsx';
import { ScriptVersions } from './script-versions.tsx';
import { TakeOverFacts, Takers, useTakeOver } from './take-over-facts.tsx';

/** One script: outline, versions with their differences, and the campaigns that use it. */
export function ScriptPage() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const { data, error, loading } = useQuery(ScriptDocument, { variables: { id } });
  const script = data?.script;
  if (!script) return error ? <Notice error={error} /> : loading ? <Skeleton height={400} /> : <NotFoundPage />;
  const { versions } = script;
  return (
    <>
      <title>{`${script.name} · Callout`}</title>
      <Head script={script} hasDraft={script.draft !== null} />
      {error && <Notice error={error} />}
      <PageTabs
        label={script.name}
        tabs={[
          {
            key: 'reading',
            label: t('script.reading'),
            content: <ScriptReading id={id} versions={versions} current={script.version} isTaken={script.isTaken} />,
          },
          {
            key: 'versions',
            label: t('script.versions', { count: versions.length }),
            content: <ScriptVersions script={script} versions={versions} />,
          },
          {
            key: 'difference',
            label: t('script.difference'),
            content: <ScriptDifference id={id} versions={versions} current={script.version} isTaken={script.isTaken} />,
          },
          { key: 'activations', label: t('script.activations'), content: <ScriptActivations activations={script.activations} /> },
          { key: 'campaigns', label: t('script.usage'), content: <ScriptCampaigns script={script} /> },
        ]}
      />
    </>
  );
}

function Head({ script, hasDraft }: { script: ScriptHeadFragment; hasDraft: boolean }) {
  const { t } = useTranslation();
  const { name, business, businessCode, description, isEnabled, isTaken, version, databaseId: id } = script;
  const [activate] = useMutation(ActivateScriptDocument);
  const [deactivate] = useMutation(DeactivateScriptDocument);
  const newer = isEnabled && !isTaken ? business?.script : null;
  const campaigns = business?.campaignCount ?? 0;
  const takeOver = useTakeOver(id, businessCode);
  const why = { label: t('script.reason'), maxLength: 500, isRequired: takeOver?.isRunning === true };

  async function carryOut(isOn: boolean, reason: string): Promise<string | null> {
    const { data } = isOn ? await activate({ variables: { id, version, reason } }) : await deactivate({ variables: { id, reason } });
    if (isRefusal(data?.result)) return data.result.message;
    sayDone(t(isOn ? 'script.activated' : 'script.deactivated', { name, version }));
    return null;
  }

  return (
    <>
      <Group mb="xs" gap="sm">
        <PageHeading>{name}</PageHeading>
        <ScriptState isEnabled={isEnabled} isTaken={isTaken} />
        <span className="quiet">
          <Link to={`/businesses?q=${encodeURIComponent(businessCode)}`}>{business?.businessName ?? businessCode}</Link> ·{' '}
          {t('script.version', { version })}
        </span>
        <Group ml="auto" gap="sm">
          {hasDraft && <span className="tone-waiting">{t('script.hasDraft')}</span>}
          <Button component={Link} to={`/scripts/${id}/edit`} leftSection={<IconPencil size={16} aria-hidden />}>
            {t('scriptEditor.edit')}
          </Button>
          {isEnabled ? (
            <ConfirmButton
              variant="default"
              title={t('script.deactivateTitle', { name })}
              warning={t(isTaken ? 'script.losesTaken' : 'script.losesNothing', { count: campaigns })}
              input={isTaken ? why : { ...why, isRequired: false }}
              act={reason => carryOut(false, reason)}
            >
              {t('script.deactivate')}
            </ConfirmButton>
          ) : (
            <ConfirmButton
              title={t('script.activateTitle', { name, version })}
              warning={<TakeOverFacts takeOver={takeOver} />}
              input={why}
              act={reason => carryOut(true, reason)}
            >
              {t('script.activate')}
            </ConfirmButton>
          )}
        </Group>
      </Group>
      {description && (
        <Text className="quiet" mb="sm">
          {description}
        </Text>
      )}
      {isTaken && takeOver && takeOver.takers.length > 0 && (
        <Group gap="sm" mb="sm">
          {t('takeOver.uses')} <Takers takers={takeOver.takers} />
        </Group>
      )}
      {newer && (
        <Alert color="yellow" mb="sm">
          {t('script.behind')} <Link to={`/scripts/${newer.databaseId}`}>{newer.name}</Link>
        </Alert>
      )}
    </>
  );
}
