import { useMutation, useQuery } from '@apollo/client/react';
import { Alert, Group, SegmentedControl, Select, Skeleton, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isRefusal } from '../../api/refusal.ts';
import { CampaignSelect } from '../../form/campaign-select.tsx';
import { formatCount, formatDateTime } from '../../text/format.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SideDrawer } from '../../ui/side-drawer.tsx';
import { sayDone } from '../../ui/toast.ts';
import { useDisabledReason } from '../../ui/use-disabled-reason.ts';
import {
  type ConflictFragment,
  type PackFragment,
  PreviewRulePackDocument,
  type PreviewRulePackQuery,
  RulePacksDocument,
  SwitchRulePackDocument,
} from './rule-packs.generated.ts';
import { useWords } from './use-words.ts';

/** Shows what a pack would have blocked last week, and switches it. */
export function PackDrawer({ pack, close }: { pack: PackFragment | null; close: () => void }) {
  const { t } = useTranslation();
  const words = useWords();
  return (
    <SideDrawer isOpen={pack !== null} close={close} title={pack ? words(pack.name) : t('rulePacks.open')} size="lg">
      {pack && <PackSwitch key={pack.packId} pack={pack} />}
    </SideDrawer>
  );
}

type Scope = 'ALL' | 'CAMPAIGN';

function PackSwitch({ pack }: { pack: PackFragment }) {
  const { t } = useTranslation();
  const [scope, setScope] = useState<Scope>('ALL');
  const [campaign, setCampaign] = useState('');
  const campaignId = scope === 'CAMPAIGN' ? campaign || null : null;
  const isChosen = scope === 'ALL' || campaignId !== null;
  const present = pack.switches.find(each => each.campaignId === campaignId);
  const [changed, change] = useState<Readonly<Record<string, string>>>({});
  const choices = Object.entries({ ...choicesOf(present), ...changed }).map(([ruleId, choiceId]) => ({ ruleId, choiceId }));
  return (
    <>
      <SegmentedControl
        aria-label={t('policies.scope')}
        value={scope}
        onChange={value => setScope(value)}
        data={(['ALL', 'CAMPAIGN'] as const).map(value => ({ value, label: t(`rulePacks.scope.${value}`) }))}
        mb="sm"
      />
      {scope === 'CAMPAIGN' && <CampaignSelect label={t('policyForm.campaign')} value={campaign} choose={setCampaign} />}
      <Ways pack={pack} chosen={choices} choose={(ruleId, choiceId) => change({ ...changed, [ruleId]: choiceId })} />
      {isChosen && <Preview pack={pack} campaignId={campaignId} choices={choices} />}
      {isChosen && <Acts pack={pack} campaignId={campaignId} choices={choices} isOn={present !== undefined} />}
    </>
  );
}

function choicesOf(present: PackFragment['switches'][number] | undefined): Record<string, string> {
  return Object.fromEntries((present?.choices ?? []).map(({ ruleId, choiceId }) => [ruleId, choiceId]));
}

interface Chosen {
  ruleId: string;
  choiceId: string;
}

interface WaysProps {
  pack: PackFragment;
  chosen: readonly Chosen[];
  choose: (ruleId: string, choiceId: string) => void;
}

/** Rules that can be carried out in several ways. */
function Ways({ pack, chosen, choose }: WaysProps) {
  const words = useWords();
  return pack.rules
    .filter(({ choices }) => choices.length > 1)
    .map(({ ruleId, name, choices }) => (
      <Select
        key={ruleId}
        mb="sm"
        label={words(name)}
        allowDeselect={false}
        value={chosen.find(each => each.ruleId === ruleId)?.choiceId ?? choices[0]?.choiceId ?? null}
        onChange={choiceId => choiceId && choose(ruleId, choiceId)}
        data={choices.map(choice => ({ value: choice.choiceId, label: words(choice.name) }))}
      />
    ));
}

interface UseProps {
  pack: PackFragment;
  campaignId: string | null;
  choices: Chosen[];
}

function Preview({ pack, campaignId, choices }: UseProps) {
  const { t } = useTranslation();
  const forbidden = useDisabledReason('policy:write');
  const { data, previousData, error } = useQuery(PreviewRulePackDocument, {
    variables: { packId: pack.packId, input: { campaignId, choices } },
    fetchPolicy: 'no-cache',
    skip: forbidden !== null,
  });
  const preview = (data ?? previousData)?.previewRulePack;
  if (forbidden !== null) return <Text className="quiet">{forbidden}</Text>;
  if (error) return <Notice error={error} />;
  if (!preview) return <Skeleton height={120} />;
  return (
    <>
      <Text fw={600} mt="sm">
        {t('rulePacks.wouldBlock', { blocked: formatCount(preview.blocked), attempts: formatCount(preview.attempts) })}
      </Text>
      <Text className="quiet" size="sm">
        {t('rulePacks.week', { from: formatDateTime(preview.from), to: formatDateTime(preview.to) })}
        {preview.isSampled && ` ${t('rulePacks.sampled')}`}
      </Text>
      <BlockedRules pack={pack} preview={preview} />
      <Conflicts conflicts={preview.conflicts} pack={pack} />
    </>
  );
}

function BlockedRules({ pack, preview }: { pack: PackFragment; preview: NonNullable<PreviewRulePackQuery['previewRulePack']> }) {
  const { t } = useTranslation();
  const words = useWords();
  const nameOf = (ruleId: string) => pack.rules.find(rule => rule.ruleId === ruleId)?.name;
  return (
    <ul>
      {preview.rules.map(({ ruleId, blocked }) => {
        const name = nameOf(ruleId);
        return (
          <li key={ruleId}>
            {t('rulePacks.blockedBy', { rule: name ? words(name) : ruleId, count: blocked, shown: formatCount(blocked) })}
          </li>
        );
      })}
    </ul>
  );
}

/** The policies that say otherwise, with the one that holds. */
function Conflicts({ conflicts, pack }: { conflicts: readonly ConflictFragment[]; pack: PackFragment }) {
  const { t } = useTranslation();
  const words = useWords();
  if (conflicts.length === 0) return null;
  const isHopeless = conflicts.some(({ winner }) => winner === 'NOBODY');
  return (
    <Alert color={isHopeless ? 'red' : 'yellow'} mt="sm" title={t('rulePacks.conflicts', { count: conflicts.length })}>
      {conflicts.map(({ ruleId, policyId, policyName, reason }) => {
        const name = pack.rules.find(rule => rule.ruleId === ruleId)?.name;
        return (
          <Text key={`${ruleId} ${policyId}`} size="sm">
            {t('rulePacks.conflict', { rule: name ? words(name) : ruleId, policy: policyName, reason: words(reason) })}
          </Text>
        );
      })}
    </Alert>
  );
}

function Acts({ pack, campaignId, choices, isOn }: UseProps & { isOn: boolean }) {
  const { t } = useTranslation();
  const words = useWords();
  const disabledReason = useDisabledReason('admin');
  const [refused, setRefused] = useState<string | null>(null);
  const [send] = useMutation(SwitchRulePackDocument, { refetchQueries: [RulePacksDocument] });
  const turn = async (on: boolean) => {
    const { data } = await send({ variables: { packId: pack.packId, input: { isOn: on, campaignId, choices } } });
    setRefused(isRefusal(data?.result) ? data.result.message : null);
    if (!isRefusal(data?.result)) sayDone(t(on ? 'rulePacks.switchedOn' : 'rulePacks.switchedOff', { name: words(pack.name) }));
  };
  return (
    <>
      {refused && (
        <Alert color="red" role="alert" mt="sm">
          {refused}
        </Alert>
      )}
      <Group mt="md" gap="sm">
        <ActButton act={() => void turn(true)} reason={disabledReason}>
          {t(isOn ? 'rulePacks.apply' : 'rulePacks.switchOn')}
        </ActButton>
        {isOn && (
          <ActButton variant="default" color="red" act={() => void turn(false)} reason={disabledReason}>
            {t('rulePacks.switchOff')}
          </ActButton>
        )}
      </Group>
      <Text className="quiet" size="sm" mt="sm">
        {t('rulePacks.locked')}
      </Text>
    </>
  );
}
