import { useQuery } from '@apollo/client/react';
import { Alert, Button, Skeleton } from '@mantine/core';
import { useFullscreenElement } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { useStream } from '../../live/use-stream.ts';
import { Alerts } from './alerts.tsx';
import { Campaigns } from './campaigns.tsx';
import { Capacity } from './capacity.tsx';
import { Stats } from './stats.tsx';
import { WallDocument, WallOverviewDocument, type WallCountsFragment, type WallOverviewSubscription } from './wall.generated.ts';
import styles from './wall.module.css';

/** What no stream tells is asked for this often, ms. */
const LOOK_MS = 2_000;

/** What goes on now, for people at a desk and for a television. */
export function WallPage() {
  const { t } = useTranslation();
  const { ref, toggle, fullscreen } = useFullscreenElement<HTMLDivElement>();
  const { data, error } = useQuery(WallDocument, { pollInterval: LOOK_MS });
  const overview = useStream(WallOverviewDocument, { variables: {}, initial: null, reduce: latestOverview });
  const now = data?.runtimeOverview;
  const fault = error ?? overview.error;
  return (
    <div ref={ref} className={fullscreen ? styles.big : undefined}>
      <div className={styles.tools}>
        <Button variant="default" size="compact-sm" onClick={() => void toggle()}>
          {t(fullscreen ? 'wall.leaveFullScreen' : 'wall.fullScreen')}
        </Button>
      </div>
      {fault && !now && (
        <Alert color="red" title={t('fault.title')} mb="sm">
          {fault.message}
        </Alert>
      )}
      {now ? <Stats now={now} overview={overview.state} /> : <Skeleton height={132} />}
      <div className={styles.halves}>
        <div className={styles.side}>
          {now ? <Campaigns campaigns={now.campaigns} /> : <Skeleton height={120} />}
          <Alerts />
        </div>
        {now ? <Capacity now={now} /> : <Skeleton height={180} />}
      </div>
    </div>
  );
}

function latestOverview(before: WallCountsFragment | null, { overview }: WallOverviewSubscription): WallCountsFragment | null {
  return 'overview' in overview ? overview.overview : before;
}
