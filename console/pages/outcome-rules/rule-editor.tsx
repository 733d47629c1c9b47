import { CombinedGraphQLErrors } from '@apollo/client/errors';
import { Alert, Button, Group, NumberInput, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { faultsOf, isRefusal, type Refusal } from '../../api/refusal.ts';
import { useCommands } from '../../form/use-commands.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { sayDone } from '../../ui/toast.ts';
import {
  type OutcomeRulesQuery,
  PreviewOutcomeRulesDocument,
  type RuleStateFragment,
  type RuleTableFragment,
  SetOutcomeRulesDocument,
} from './outcome-rules.generated.ts';
import { type Preview, RulePreview } from './rule-preview.tsx';
import { RuleTable } from './rule-table.tsx';
import {
  EMPTY,
  inputOf,
  isSame,
  NO_FAULTS,
  placed,
  type RulesInput,
  type StepKind,
  type Table,
  type TableFaults,
  tableOf,
  withRow,
} from './rule-values.ts';
import { RuleVersions } from './rule-versions.tsx';
import { ENDS, WHOLE } from './step-fields.tsx';

type Templates = NonNullable<OutcomeRulesQuery['outcomeRuleTemplates']>;

interface RuleEditorProps {
  campaignId: string | null;
  state: RuleStateFragment;
  templates: Templates;
  /** Reads the rules again. */
  changed: () => void;
  /** Why the rules are read-only; null when they can be changed. */
  disabledReason: string | null;
}

/** The table of rules with what fills it (templates, earlier versions), what tries it (the preview), and what saves it. */
export function RuleEditor({ campaignId, state, templates, changed, disabledReason }: RuleEditorProps) {
  const { t } = useTranslation();
  const stored = state.rules ? tableOf(state.rules) : EMPTY;
  const [rules, setRules] = useState<Table>(stored);
  const trial = useTrial(campaignId, state.ownVersion, changed);
  const isFixed = disabledReason !== null;
  const edit = (next: Table) => {
    setRules(next);
    trial.forget();
  };
  const take = (table: RuleTableFragment) => edit(tableOf(table));
  const isUnchanged = isSame(rules, stored) && state.origin !== 'FOR_ALL';
  // Nothing is in force and nothing has been begun: the settings of a table would contradict those of the campaign, which hold.
  const isNone = state.rules === null && isSame(rules, EMPTY);
  return (
    <>
      {!isFixed && <TemplateButtons templates={templates} take={take} />}
      {!isNone && <MaxAttempts {...{ rules, edit, isFixed }} error={trial.faults.maxAttempts} />}
      {rules.rows.length > 0 ? (
        <RuleTable rules={rules} set={edit} faults={trial.faults} applied={appliedBy(trial.preview)} isFixed={isFixed} />
      ) : (
        <Text className="quiet" my="sm">
          {t(isNone ? 'outcomeRules.noneYet' : 'outcomeRules.noRows')}
        </Text>
      )}
      {!isFixed && (
        <Button variant="default" size="compact-sm" my="xs" onClick={() => edit(withRow(rules))}>
          {t('outcomeRules.add')}
        </Button>
      )}
      {!isNone && <Otherwise {...{ rules, edit, isFixed }} />}
      {trial.refused && (
        <Alert color="red" role="alert" my="sm">
          {trial.refused}
        </Alert>
      )}
      {trial.preview && <RulePreview preview={trial.preview} />}
      <Group my="md" gap="sm">
        {campaignId !== null && !isNone && (
          <ActButton variant="default" loading={trial.isBusy} act={() => void trial.tryOut(inputOf(rules))}>
            {t('outcomeRules.tryOut')}
          </ActButton>
        )}
        <ActButton
          loading={trial.isBusy}
          reason={disabledReason ?? (isUnchanged ? t('outcomeRules.unchanged') : null)}
          act={() => void trial.save(inputOf(rules))}
        >
          {t('outcomeRules.save')}
        </ActButton>
      </Group>
      <RuleVersions campaignId={campaignId} take={take} disabledReason={disabledReason} />
    </>
  );
}

interface Trial {
  faults: TableFaults;
  /** A refusal that belongs to no row. */
  refused: string | null;
  preview: Preview | null;
  isBusy: boolean;
  tryOut: (rules: RulesInput) => Promise<void>;
  save: (rules: RulesInput) => Promise<void>;
  /** Drops answers that belong to an earlier table. */
  forget: () => void;
}

/** Tries rules on the past and saves them; the answers stay until the rules are edited. */
function useTrial(campaignId: string | null, version: number, changed: () => void): Trial {
  const { t } = useTranslation();
  const { run, read } = useCommands();
  const [faults, setFaults] = useState<TableFaults>(NO_FAULTS);
  const [refused, setRefused] = useState<string | null>(null);
  const [preview, setPreview] = useState<Preview | null>(null);
  const [isBusy, setBusy] = useState(false);
  const forget = () => {
    setFaults(NO_FAULTS);
    setRefused(null);
    setPreview(null);
  };
  function refuse(refusal: Refusal): void {
    const found = faultsOf(refusal);
    const at = placed(found);
    setFaults(at);
    setRefused(found.length === 0 ? refusal.message : at.others.join('；') || null);
  }
  async function attempt(work: () => Promise<void>): Promise<void> {
    setBusy(true);
    forget();
    await work().catch((error: Error) => refuse(refusalIn(error)));
    setBusy(false);
  }
  return {
    faults,
    refused,
    preview,
    isBusy,
    forget,
    tryOut: rules =>
      attempt(async () => setPreview((await read(PreviewOutcomeRulesDocument, { campaignId: campaignId ?? '', rules }))?.preview ?? null)),
    save: rules =>
      attempt(async () => {
        const result = await run(SetOutcomeRulesDocument, { campaignId, input: { rules, version } });
        if (isRefusal(result)) return refuse(result);
        sayDone(t('outcomeRules.saved'));
        changed();
      }),
  };
}

/** The refusal in the error of a query. */
function refusalIn(error: Error): Refusal {
  const { field, faults } = CombinedGraphQLErrors.is(error) ? (error.errors[0]?.extensions ?? {}) : {};
  return { message: error.message, ...(typeof field === 'string' && { field }), ...(Array.isArray(faults) && { faults }) };
}

function appliedBy(preview: Preview | null): ReadonlyMap<number | null, number> | null {
  return preview && new Map(preview.rows.map(({ row, applied }) => [row, applied]));
}

function TemplateButtons({ templates, take }: { templates: Templates; take: (rules: RuleTableFragment) => void }) {
  const { t } = useTranslation();
  return (
    <Group gap="xs" mb="sm">
      <span className="quiet">{t('outcomeRules.beginWith')}</span>
      {templates.map(({ key, rules }) => (
        <Button key={key} variant="default" size="compact-sm" title={t(`ruleTemplate.about.${key}`)} onClick={() => take(rules)}>
          {t(`ruleTemplate.name.${key}`)}
        </Button>
      ))}
    </Group>
  );
}

interface PartProps {
  rules: Table;
  edit: (rules: Table) => void;
  isFixed: boolean;
}

function MaxAttempts({ rules, edit, isFixed, error }: PartProps & { error: string | undefined }) {
  const { t } = useTranslation();
  return (
    <NumberInput
      label={t('outcomeRules.maxAttempts')}
      description={t('outcomeRules.maxAttemptsAbout')}
      {...WHOLE}
      maw={420}
      mb="sm"
      min={1}
      max={21}
      disabled={isFixed}
      error={error}
      value={rules.maxAttempts}
      onChange={next => edit({ ...rules, maxAttempts: typeof next === 'number' ? next : '' })}
    />
  );
}

function Otherwise({ rules, edit, isFixed }: PartProps) {
  const { t } = useTranslation();
  return (
    <Select
      label={t('outcomeRules.otherwise')}
      mt="sm"
      w={260}
      data={ENDS.map((value: StepKind) => ({ value, label: t(`outcomeStep.${value}`) }))}
      allowDeselect={false}
      disabled={isFixed}
      value={rules.otherwise}
      onChange={otherwise => otherwise !== null && edit({ ...rules, otherwise })}
    />
  );
}
