import { Anchor, Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatSeconds } from '../text/format.ts';
import { useNow } from '../ui/use-now.ts';
import { askForMicrophone } from './microphone.ts';
import styles from './phone.module.css';
import { partOf, type Trouble } from './trouble.ts';
import { usePhone } from './use-phone.ts';

/** Troubles that need no haste: the phone mends them by itself, or nothing has failed yet. */
const PASSING: readonly Trouble['kind'][] = ['unreachable', 'microphoneUnasked'];

/** A problem of the phone, with the remedy and a link to it. */
export function TroubleNote({ trouble }: { trouble: Trouble }) {
  const { t } = useTranslation();
  const { kind, status, certificateUrl, retryAt } = trouble;
  return (
    <div className={styles.trouble} role="alert" data-is-passing={retryAt !== null || PASSING.includes(kind) || undefined}>
      <span className={styles.troubleText}>
        <strong>{t(`phone.trouble.${kind}.what`, { status })}</strong> <span>{t(`phone.trouble.${kind}.todo`)}</span>
        {certificateUrl && (
          <>
            {' '}
            <Anchor href={certificateUrl} target="_blank" rel="noreferrer">
              {t('phone.openCertificate')}
            </Anchor>
          </>
        )}
        {retryAt !== null && <Retry at={retryAt} />}
      </span>
      <Mend trouble={trouble} />
    </div>
  );
}

function Retry({ at }: { at: number }) {
  const { t } = useTranslation();
  const now = useNow();
  return (
    <span className="quiet" aria-live="off">
      {' '}
      {t('phone.retryIn', { for: formatSeconds((at - now) / 1000) })}
    </span>
  );
}

/** The button that may help; none where only the browser's settings or another person can. */
function Mend({ trouble: { kind } }: { trouble: Trouble }) {
  const { t } = useTranslation();
  const { actions } = usePhone();
  if (kind === 'microphoneUnasked') {
    return (
      <Button size="compact-sm" onClick={() => void askForMicrophone()}>
        {t('phone.allowMicrophone')}
      </Button>
    );
  }
  if (kind === 'insecure' || partOf({ kind }) !== 'line') return null;
  return (
    <Button size="compact-sm" variant="default" onClick={actions.retry}>
      {t('phone.retry')}
    </Button>
  );
}
