import { useQuery } from '@apollo/client/react';
import { useTranslation } from 'react-i18next';
import { formatShare } from '../../text/format.ts';
import type { Answer } from './answer.ts';
import { AbandonmentCapsDocument } from './reports.generated.ts';

export interface Caps {
  /** Lowest cap that applies to every campaign, drawn as a line; null when there is none, or no abandonment rate to compare. */
  drawn: { label: string; share: number } | null;
  /** Every cap in words; null: not asked for. */
  words: string | null;
}

const NO_CAPS: Caps = { drawn: null, words: null };

/** The caps that policies set to the abandonment rate, where the answer has that rate. */
export function useCaps({ figures }: Answer): Caps {
  const { t } = useTranslation();
  const isAsked = figures.some(({ name }) => name === 'abandonment_rate');
  const { data } = useQuery(AbandonmentCapsDocument, { skip: !isAsked });
  if (!isAsked || !data) return NO_CAPS;
  const caps = (data.policies ?? []).flatMap(({ settings, campaign }) =>
    settings?.__typename === 'AbandonmentLimitSettings' ? [{ share: settings.maxPercent / 100, hours: settings.hours, campaign }] : [],
  );
  if (caps.length === 0) return { drawn: null, words: t('reports.noCap') };
  const everywhere = caps.filter(({ campaign }) => campaign === null).map(({ share }) => share);
  const words = caps.map(({ share, hours, campaign }) =>
    t('reports.capOf', { share: formatShare(share, 1), hours, campaign: campaign?.name ?? t('reports.everyCampaign') }),
  );
  return {
    drawn: everywhere.length === 0 ? null : { label: t('reports.cap'), share: Math.min(...everywhere) },
    words: words.join(t('noun.between')),
  };
}
