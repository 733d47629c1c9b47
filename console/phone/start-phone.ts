import { i18next } from '../text/text.ts';
import { NO_PHONE, changePhone } from './phone-state.ts';
import { type OwnPhone, SharedPhone, type StartPhone, type TabTools } from './shared-phone.ts';
import { fetchSipAccount, type SipAccount } from './sip-account.ts';
import { pauseMs, troubleOf } from './trouble.ts';

const NAME = 'callout.phone.';

/** The phone of a user, in whichever of their tabs has it. */
export function startPhone(userId: string): SharedPhone {
  return new SharedPhone(tabToolsOf(NAME + userId), isPossible() ? report => new LaterPhone(userId, report) : withoutSecurity);
}

/** Browsers give microphones and locks only to pages of HTTPS or of this machine. */
function isPossible(): boolean {
  return isSecureContext && 'mediaDevices' in navigator;
}

function tabToolsOf(name: string): TabTools {
  const locks: TabTools['locks'] = 'locks' in navigator ? navigator.locks : { request: (_name, _options, work) => work() };
  return { name, locks, channel: new BroadcastChannel(name) };
}

const withoutSecurity: StartPhone = report => {
  report(changePhone({ ...NO_PHONE, extension: '' }, { type: 'troubled', trouble: troubleOf('insecure') }));
  return { run: () => undefined, close: () => undefined };
};

/** The phone while its account and its code are being loaded; without an address of the switch it stays away. */
class LaterPhone implements OwnPhone {
  readonly #userId: string;
  readonly #report: Parameters<StartPhone>[0];
  #own: OwnPhone | null = null;
  #isClosed = false;

  constructor(userId: string, report: Parameters<StartPhone>[0]) {
    this.#userId = userId;
    this.#report = report;
    void this.#begin(0);
  }

  run: OwnPhone['run'] = command => this.#own?.run(command);

  close(): void {
    this.#isClosed = true;
    this.#own?.close();
  }

  async #begin(failures: number): Promise<void> {
    try {
      const account = await fetchSipAccount();
      if (account.servers.length > 0) await this.#load(account);
    } catch {
      setTimeout(() => !this.#isClosed && void this.#begin(failures + 1), pauseMs(failures + 1, Math.random()));
    }
  }

  async #load(account: SipAccount): Promise<void> {
    const { startSipPhone } = await import('./sip-phone.ts');
    if (this.#isClosed) return;
    let first: SipAccount | null = account;
    this.#own = startSipPhone({
      // The password is read once for the first attempt, and again only for a later one.
      fetchAccount: () => {
        const known = first;
        first = null;
        return known ? Promise.resolve(known) : fetchSipAccount();
      },
      report: this.#report,
      keptName: `${NAME}call.${this.#userId}`,
      contact: contactOf(this.#userId),
      ringing: () => i18next.t('phone.ringing'),
    });
  }
}

/** The same after a reload: the switch then replaces the registration of the page before, and its calls find the phone. */
function contactOf(userId: string): string {
  const name = `${NAME}contact.${userId}`;
  const made = () => [...crypto.getRandomValues(new Uint8Array(10))].map(byte => byte.toString(36)).join('');
  const kept = localStorage.getItem(name) ?? `sip:${made()}@${made()}.invalid;transport=ws`;
  localStorage.setItem(name, kept);
  return kept;
}
