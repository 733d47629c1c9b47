import { instantOf, localOf } from '../../text/local-time.ts';
import type { CreateCampaignMutationVariables, EditableFragment } from './campaign-form.generated.ts';

/** Values of the form; texts as typed. */
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
  retryUnknown: boolean;
  callbackMissed: EditableFragment['callbackMissed'];
  callbackAgainMinutes: number | '';
  callbackMaxMisses: number | '';
  anybodyAfterMinutes: number | '';
  recordingDays: number | '';
  workdayStart: string;
  workdayEnd: string;
  timeZone: string;
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
  retryUnknown: false,
  callbackMissed: 'AGAIN',
  callbackAgainMinutes: 15,
  callbackMaxMisses: 3,
  anybodyAfterMinutes: 10,
  recordingDays: '',
  workdayStart: '09:00',
  workdayEnd: '21:00',
  timeZone: '',
  scheduledStartAt: '',
  scheduledEndAt: '',
  intentKeywords: [],
  description: '',
};

type Input = CreateCampaignMutationVariables['input'];
type Config = EditableFragment['businessConfig'];

export function valuesOf(campaign: EditableFragment): FormValues {
  const { name, businessCode, maxConcurrency, maxRetries, retryIntervalSeconds, callIntervalMs } = campaign;
  return {
    name,
    businessCode,
    maxConcurrency,
    maxRetries,
    retryIntervalSeconds,
    callIntervalMs,
    retryAnsweredWithoutResult: campaign.retryAnsweredWithoutResult,
    retryUnknown: campaign.retryUnknown,
    callbackMissed: campaign.callbackMissed,
    callbackAgainMinutes: campaign.callbackAgainMinutes,
    callbackMaxMisses: campaign.callbackMaxMisses,
    anybodyAfterMinutes: campaign.anybodyAfterMinutes,
    recordingDays: campaign.recordingDays ?? '',
    description: campaign.description,
    lineIds: campaign.lines.map(({ databaseId }) => databaseId),
    cellId: campaign.cellId ?? '',
    workdayStart: campaign.workdayStart ?? '',
    workdayEnd: campaign.workdayEnd ?? '',
    timeZone: campaign.timeZone ?? '',
    scheduledStartAt: localOf(campaign.scheduledStartAt),
    scheduledEndAt: localOf(campaign.scheduledEndAt),
    intentKeywords: [...(campaign.businessConfig.intentKeywords ?? [])],
  };
}

/**
 * Input for the server from the whole form: an empty optional field clears its value. `config`: the other members of the keywords' group.
 */
export function inputOf(values: FormValues, config?: Config): Input {
  const { name, businessCode, lineIds, retryAnsweredWithoutResult, retryUnknown, callbackMissed, description, intentKeywords } = values;
  return {
    name: name.trim(),
    businessCode,
    lineIds,
    retryAnsweredWithoutResult,
    retryUnknown,
    callbackMissed,
    callbackAgainMinutes: numberOf(values.callbackAgainMinutes),
    callbackMaxMisses: numberOf(values.callbackMaxMisses),
    anybodyAfterMinutes: numberOf(values.anybodyAfterMinutes),
    recordingDays: numberOf(values.recordingDays),
    description,
    businessConfig: { ...keptOf(config), intentKeywords },
    cellId: values.cellId || null,
    workdayStart: values.workdayStart || null,
    workdayEnd: values.workdayEnd || null,
    timeZone: values.timeZone || null,
    scheduledStartAt: instantOf(values.scheduledStartAt),
    scheduledEndAt: instantOf(values.scheduledEndAt),
    maxConcurrency: numberOf(values.maxConcurrency),
    maxRetries: numberOf(values.maxRetries),
    retryIntervalSeconds: numberOf(values.retryIntervalSeconds),
    callIntervalMs: numberOf(values.callIntervalMs),
  };
}

/** Only the changed fields: what somebody else has changed in the others stays. */
export function changesOf(values: FormValues, initial: FormValues, config: Config): Partial<Input> {
  const [now, before] = [inputOf(values, config), inputOf(initial, config)];
  const isOther = (name: string) => JSON.stringify(now[name as keyof Input]) !== JSON.stringify(before[name as keyof Input]);
  return Object.fromEntries(Object.entries(now).filter(([name]) => isOther(name)));
}

/** Members of the group that the form does not show; the server replaces the group as a whole. */
function keptOf(config: Config | undefined): NonNullable<Input['businessConfig']> {
  if (!config) return {};
  const { variables, monitoringMode, monitoringPriority } = config;
  return {
    variables: variables.map(({ name, value }) => ({ name, value })),
    ...(monitoringMode ? { monitoringMode } : {}),
    ...(monitoringPriority === null ? {} : { monitoringPriority }),
  };
}

function numberOf(value: number | ''): number | null {
  return value === '' ? null : value;
}
