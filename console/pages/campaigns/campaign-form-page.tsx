import { useMutation, useQuery } from '@apollo/client/react';
import { Alert, Button, Group, Skeleton, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { faultsByField } from '../../api/refusal.ts';
import { Form } from '../../form/form.tsx';
import { useForm } from '../../form/use-form.ts';
import { formatDateTime } from '../../text/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { sayDone } from '../../ui/toast.ts';
import { Fields } from './campaign-fields.tsx';
import {
  CampaignFaultsDocument,
  type CampaignFaultsQueryVariables,
  CampaignToEditDocument,
  CampaignVersionDocument,
  CreateCampaignDocument,
  type EditableFragment,
  UpdateCampaignDocument,
} from './campaign-form.generated.ts';
import styles from './campaign-form.module.css';
import { changesOf, EMPTY, inputOf, valuesOf } from './form-values.ts';

/** Creates a campaign, optionally as a copy of the one that the URL names, or edits one. */
export function CampaignFormPage() {
  const { t } = useTranslation();
  const { id } = useParams();
  const [query] = useSearchParams();
  const source = id ?? query.get('from');
  const { data, error } = useQuery(CampaignToEditDocument, {
    variables: { id: source ?? '' },
    skip: !source,
    fetchPolicy: 'no-cache',
  });
  if (!source) return <NewCampaign like={null} />;
  if (error) return <Notice error={error} />;
  if (!data?.campaign) return <Skeleton height={400} />;
  return id ? (
    <EditCampaign key={data.campaign.settingsVersion} campaign={data.campaign} />
  ) : (
    <NewCampaign like={{ ...data.campaign, name: t('campaignForm.copyOf', { name: data.campaign.name }) }} />
  );
}

function NewCampaign({ like }: { like: EditableFragment | null }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [create] = useMutation(CreateCampaignDocument);
  const form = useForm({
    initial: like ? valuesOf(like) : EMPTY,
    send: async values => (await create({ variables: { input: inputOf(values, like?.businessConfig) } })).data?.result,
    done: ({ databaseId }) => {
      sayDone(t('campaignForm.made'));
      return navigate(`/campaigns/${databaseId}`);
    },
    shownAt: { businessConfig: 'intentKeywords' },
  });
  const faults = useFaults(null, form.isChanged ? inputOf(form.values, like?.businessConfig) : null);
  return (
    <div className={styles.form}>
      <PageHeading>{t('pages.newCampaign')}</PageHeading>
      <Text className="quiet">{t('campaignForm.next')}</Text>
      <Form form={form} action={t('campaignForm.make')} cancel={() => void navigate(-1)}>
        <Fields form={form} isNew faults={faults} />
      </Form>
    </div>
  );
}

function EditCampaign({ campaign: loaded }: { campaign: EditableFragment }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [update] = useMutation(UpdateCampaignDocument);
  // The version that is being overwritten: somebody else saved it meanwhile, and the user has seen and accepted it.
  const [campaign, setCampaign] = useState(loaded);
  const initial = valuesOf(loaded);
  const form = useForm({
    initial,
    send: async values => {
      const input = changesOf(values, initial, loaded.businessConfig);
      return (await update({ variables: { id: loaded.databaseId, input, madeFrom: campaign.settingsVersion } })).data?.result;
    },
    done: () => {
      sayDone(t('campaignForm.saved'));
      return navigate(`/campaigns/${loaded.databaseId}`);
    },
    shownAt: { businessConfig: 'intentKeywords' },
  });
  const changes = changesOf(form.values, initial, loaded.businessConfig);
  const faults = useFaults(loaded.databaseId, Object.keys(changes).length > 0 ? changes : null);
  return (
    <div className={styles.form}>
      <PageHeading>{form.values.name || t('pages.editCampaign')}</PageHeading>
      <ChangedMeanwhile
        id={loaded.databaseId}
        version={campaign.settingsVersion}
        keepMine={settingsVersion => setCampaign({ ...campaign, settingsVersion })}
      />
      <Form form={form} action={t('campaignForm.save')} cancel={() => void navigate(-1)}>
        <Fields form={form} faults={faults} />
      </Form>
    </div>
  );
}

/** Interval in ms at which the form asks whether somebody else has saved the campaign. */
const LOOK_MS = 4_000;

interface ChangedMeanwhileProps {
  id: string;
  /** Version of the settings with which the form was filled. */
  version: string;
  /** Keeps the user's input, based on the current version. */
  keepMine: (version: string) => void;
}

/** Warns that somebody else has changed the campaign since the form was opened, before any input is lost. */
function ChangedMeanwhile({ id, version, keepMine }: ChangedMeanwhileProps) {
  const { t } = useTranslation();
  const { data } = useQuery(CampaignVersionDocument, { variables: { id }, pollInterval: LOOK_MS, fetchPolicy: 'no-cache' });
  const campaign = data?.campaign;
  if (!campaign || campaign.settingsVersion === version) return null;
  const change = campaign.history.find(({ kind }) => kind === 'UPDATED');
  return (
    <Alert color="yellow" role="alert" title={t('campaignForm.changedTitle')}>
      {t('campaignForm.changedBy', { who: change?.by ?? t('campaignForm.somebody'), at: formatDateTime(change?.at ?? campaign.updatedAt) })}
      <Group mt="sm" gap="sm">
        <Button variant="default" size="xs" onClick={() => window.location.reload()}>
          {t('campaignForm.takeTheirs')}
        </Button>
        <Button variant="default" size="xs" onClick={() => keepMine(campaign.settingsVersion)}>
          {t('campaignForm.keepMine')}
        </Button>
      </Group>
    </Alert>
  );
}

/** Pause in typing, in ms, after which the server checks the form. */
const TYPING_WAIT_MS = 400;

/** Faults that the server would report for the form, by field; null input: nothing to check. */
function useFaults(id: string | null, input: CampaignFaultsQueryVariables['input'] | null): Readonly<Record<string, string>> {
  const [asked] = useDebouncedValue(input && JSON.stringify(input), TYPING_WAIT_MS);
  const { data, previousData } = useQuery(CampaignFaultsDocument, {
    variables: { id, input: JSON.parse(asked ?? '{}') as CampaignFaultsQueryVariables['input'] },
    skip: asked === null || input === null,
    fetchPolicy: 'no-cache',
  });
  const faults = (data ?? previousData)?.campaignFaults ?? [];
  return input === null ? {} : faultsByField({ message: '', faults });
}
