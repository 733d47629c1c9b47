import { useQuery } from '@apollo/client/react';
import { useDebouncedValue } from '@mantine/hooks';
import { faultsByField } from '../../api/refusal.ts';
import { CampaignFaultsDocument, type CampaignFaultsQueryVariables } from './campaign-form.generated.ts';

const TYPING_WAIT_MS = 400;

/** Faults that the server would report for the form, by field; null input: nothing to check. */
export function useFaults(id: string | null, input: CampaignFaultsQueryVariables['input'] | null): Readonly<Record<string, string>> {
  const [asked] = useDebouncedValue(input && JSON.stringify(input), TYPING_WAIT_MS);
  const { data, previousData } = useQuery(CampaignFaultsDocument, {
    variables: { id, input: JSON.parse(asked ?? '{}') as CampaignFaultsQueryVariables['input'] },
    skip: asked === null || input === null,
    fetchPolicy: 'no-cache',
  });
  const faults = (data ?? previousData)?.campaignFaults ?? [];
  return input === null ? {} : faultsByField({ message: '', faults });
}
