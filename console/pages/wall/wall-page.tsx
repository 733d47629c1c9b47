import { Button, Skeleton } from '@mantine/core';
import { useFullscreenElement } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { useStream } from '../../live/use-stream.ts';
import { formatTime } from '../../text/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { Alerts } from './alerts.tsx';
import { Campaigns } from './campaigns.tsx';
import { Capacity } from './capacity.tsx';
import { Faults, Health, useHealth } from './health.tsx';
import { Stats } from './stats.tsx';
import {
  type WallCountsFragment,
  WallNowDocument,
  type WallNowFragment,
  type WallNowSubscription,
  WallOverviewDocument,
  type WallOverviewSubscription,
} from './wall.generated.ts';
import styles from './wall.module.css';

const ALERTS_AT_DESK = 8;
/** Few enough to fit on a television, which nobody scrolls. */
const ALERTS_ON_SCREEN = 5;

/** The last data, and whether they are still current. */
interface WallState {
  now: WallNowFragment;
  at: string;
  isOld: boolean;
}

/** Live overview for a desk and for a television. */
export function WallPage() {
  const { t } = useTranslation();
  const { ref, toggle, fullscreen } = useFullscreenElement<HTMLDivElement>();
  const { state: wall, error } = useStream(WallNowDocument, { variables: {}, initial: null, reduce: latestNow });
  const overview = useStream(WallOverviewDocument, { variables: {}, initial: null, reduce: latestOverview });
  const parts = useHealth();
  const fault = error ?? overview.error;
  return (
    <div ref={ref} className={fullscreen ? styles.screen : undefined} data-is-wide>
      <div className={fullscreen ? styles.big : styles.wall}>
        <div className={styles.tools}>
          <Faults parts={parts} />
          <Button variant="default" size="compact-sm" onClick={() => void toggle()}>
            {t(fullscreen ? 'wall.leaveFullScreen' : 'wall.fullScreen')}
          </Button>
        </div>
        {fault && <Notice error={fault} />}
        {wall?.isOld && (
          <p role="status" className="tone-waiting">
            {t('wall.isOld', { at: formatTime(wall.at) })}
          </p>
        )}
        <div className={wall?.isOld ? styles.old : undefined}>
          {wall ? <Stats now={wall.now} overview={overview.state} /> : <Skeleton height={132} />}
          <div className={styles.halves}>
            <div className={styles.side}>
              {wall ? <Campaigns campaigns={wall.now.overview.campaigns} /> : <Skeleton height={120} />}
              <Alerts shown={fullscreen ? ALERTS_ON_SCREEN : ALERTS_AT_DESK} />
            </div>
            {wall ? <Capacity now={wall.now.overview} /> : <Skeleton height={180} />}
          </div>
        </div>
        <Health parts={parts} />
      </div>
    </div>
  );
}

function latestNow(before: WallState | null, { runtimeOverview: event }: WallNowSubscription): WallState | null {
  return 'now' in event ? { now: event.now, at: event.at, isOld: false } : before && { ...before, isOld: true };
}

function latestOverview(before: WallCountsFragment | null, { overview }: WallOverviewSubscription): WallCountsFragment | null {
  return 'overview' in overview ? overview.overview : before;
}
