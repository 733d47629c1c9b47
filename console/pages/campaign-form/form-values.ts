import type { CampaignToEditQuery, CreateCampaignMutationVariables } from './campaign-form.generated.ts';

/** What stands in the form; texts as they are typed. */
export interface FormValues {
  name: string;
  businessCode: string;
  lineIds: string[];
  cellId: string;
  maxConcurrency: number | '';
  maxRetries: number | '';
  retryIntervalSeconds: number | '';
  callIntervalMs: number | '';
  retryAnsweredWithoutResult: boolean;
  workdayStart: string;
  workdayEnd: string;
  scheduledStartAt: string;
  scheduledEndAt: string;
  intentKeywords: string[];
  description: string;
}

export const EMPTY: FormValues = {
  name: '',
  businessCode: '',
  lineIds: [],
  cellId: '',
  maxConcurrency: 10,
  maxRetries: 1,
  retryIntervalSeconds: 300,
  callIntervalMs: 200,
  retryAnsweredWithoutResult: false,
  workdayStart: '09:00',
  workdayEnd: '21:00',
  scheduledStartAt: '',
  scheduledEndAt: '',
  intentKeywords: [],
  description: '',
};

type Campaign = NonNullable<CampaignToEditQuery['campaign']>;

export function valuesOf(campaign: Campaign): FormValues {
  return {
    ...campaign,
    lineIds: campaign.lines.map(({ databaseId }) => databaseId),
    cellId: campaign.cellId ?? '',
    workdayStart: campaign.workdayStart ?? '',
    workdayEnd: campaign.workdayEnd ?? '',
    scheduledStartAt: localOf(campaign.scheduledStartAt),
    scheduledEndAt: localOf(campaign.scheduledEndAt),
    intentKeywords: [...(campaign.businessConfig.intentKeywords ?? [])],
  };
}

/** What the server is given: empty fields clear what may be empty. */
export function inputOf(values: FormValues): CreateCampaignMutationVariables['input'] {
  const { name, businessCode, lineIds, retryAnsweredWithoutResult, description, intentKeywords } = values;
  return {
    name: name.trim(),
    businessCode,
    lineIds,
    retryAnsweredWithoutResult,
    description,
    businessConfig: { intentKeywords },
    cellId: values.cellId || null,
    workdayStart: values.workdayStart || null,
    workdayEnd: values.workdayEnd || null,
    scheduledStartAt: instantOf(values.scheduledStartAt),
    scheduledEndAt: instantOf(values.scheduledEndAt),
    maxConcurrency: numberOf(values.maxConcurrency),
    maxRetries: numberOf(values.maxRetries),
    retryIntervalSeconds: numberOf(values.retryIntervalSeconds),
    callIntervalMs: numberOf(values.callIntervalMs),
  };
}

function numberOf(value: number | ''): number | null {
  return value === '' ? null : value;
}

/** As `<input type="datetime-local">` has it, in the browser's zone. */
function localOf(instant: string | null): string {
  if (!instant) return '';
  const at = new Date(instant);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function instantOf(local: string): string | null {
  return local ? new Date(local).toISOString() : null;
}
