import { type RefObject, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { CallPart } from './call-part.tsx';
import styles from './phone.module.css';
import { SettingsButton } from './settings-button.tsx';
import { startPhone } from './start-phone.ts';
import { TroubleNote } from './trouble-note.tsx';
import { usePhoneKeys } from './use-phone-keys.ts';
import { setPhone, usePhone } from './use-phone.ts';

/** Starts the browser phone, and shows it at the bottom of every page. */
export function PhoneBar({ userId }: { userId: string }) {
  useEffect(() => {
    setPhone(startPhone(userId));
    return () => setPhone(null);
  }, [userId]);
  const { isThere } = usePhone();
  return isThere ? <Bar /> : null;
}

function Bar() {
  const { t } = useTranslation();
  const { state } = usePhone();
  usePhoneKeys();
  const bar = useRef<HTMLElement>(null);
  useBarHeight(bar);
  const [trouble] = state.troubles;
  return (
    <section ref={bar} className={styles.bar} aria-label={t('phone.bar')} data-phase={state.call?.phase}>
      {trouble && <TroubleNote trouble={trouble} />}
      <div className={styles.line}>
        <Standing />
        <CallPart />
        <SettingsButton />
      </div>
      {state.isSilenced && state.call && (
        <div role="alert" className={styles.note}>
          {t('phone.silenced')}
        </div>
      )}
    </section>
  );
}

/** Tells the style sheets how high the bar is: drawers, dialogs and messages leave it free, because a ringing phone must be answered. */
function useBarHeight(bar: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const page = document.documentElement;
    const observer = new ResizeObserver(() => page.style.setProperty('--phone-bar', `${bar.current?.offsetHeight ?? 0}px`));
    if (bar.current) observer.observe(bar.current);
    return () => {
      observer.disconnect();
      page.style.removeProperty('--phone-bar');
    };
  }, [bar]);
}

/** Extension, and whether calls reach it. */
function Standing() {
  const { t } = useTranslation();
  const { state, isHere } = usePhone();
  const { extension, registration } = state;
  return (
    <span className={styles.standing}>
      <span className={styles.dot} data-registration={registration} aria-hidden />
      {t('phone.own', { extension })}
      {(registration !== 'registered' || !state.call) && <span className="quiet">{t(`phone.registration.${registration}`)}</span>}
      {!isHere && <span className={styles.elsewhere}>{t('phone.elsewhere')}</span>}
    </span>
  );
}
