import { Button, Loader, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CampaignFilter } from '../../form/campaign-select.tsx';
import { DateRange, useDateRange } from '../../table/date-range.tsx';
import { FilterBar, SearchField, useSearch } from '../../table/filters.tsx';
import { formatDateTime } from '../../text/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { useQueryState } from '../../ui/use-query-state.ts';
import { Hit } from './hit.tsx';
import styles from './transcripts.module.css';
import { useTranscriptHits } from './use-transcript-hits.ts';

/** Length of the range that is searched while neither a campaign nor a range is chosen, in days. */
const USUAL_DAYS = 30;
const MS_PER_DAY = 86_400_000;

/** Calls in which somebody said the words, each line with a link to its second of the call. */
export function TranscriptsPage() {
  const { t } = useTranslation();
  const text = useSearch();
  const search = useSearchOf(text);
  const { rows, searchedTo, isLoading, error, goOn } = useTranscriptHits(search);
  return (
    <>
      <FilterBar count={text && !isLoading ? t('transcripts.count', { count: rows.length }) : null}>
        <SearchField label={t('transcripts.words')} width={280} />
        <DateRange />
        <CampaignFilter />
      </FilterBar>
      {error && <Notice error={error} />}
      {!text && <Text className="quiet">{t('transcripts.ask', { days: USUAL_DAYS })}</Text>}
      <ol className={styles.hits} aria-label={t('pages.transcripts')}>
        {rows.map(hit => hit.attempt && <Hit key={hit.attempt.id} attempt={hit.attempt} lines={hit.lines} count={hit.count} />)}
      </ol>
      {isLoading && <Loader size="sm" role="status" aria-label={t('shell.loading')} />}
      {text && !isLoading && !error && (
        <Text className="quiet" aria-live="polite">
          {searchedTo ? t('transcripts.searchedTo', { at: formatDateTime(searchedTo) }) : rows.length === 0 && t('transcripts.none')}
        </Text>
      )}
      {goOn && (
        <Button variant="default" mt="xs" onClick={goOn}>
          {t('transcripts.goOn')}
        </Button>
      )}
    </>
  );
}

/** The search that the URL asks for; null without words. */
function useSearchOf(text: string | null) {
  const [campaign] = useQueryState('campaign');
  const { from, to } = useDateRange();
  if (text === null) return null;
  const isBound = Boolean(campaign) || Boolean(from);
  return { text, campaignId: campaign || null, from: isBound ? from : usualStart(), to };
}

/** Start of the current day, minus the usual range: steady, so that the search is not asked again with each rendering. */
function usualStart(): string {
  return new Date(Math.floor(Date.now() / MS_PER_DAY) * MS_PER_DAY - USUAL_DAYS * MS_PER_DAY).toISOString();
}
