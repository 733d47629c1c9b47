import { client } from '../api/client.ts';
import { MySipConfigDocument } from './phone.generated.ts';

/** How the phone of the signed-in user registers; without `servers` no browser does. Source: D12.2 */
export interface SipAccount {
  extension: string;
  displayName: string;
  uri: string;
  user: string;
  password: string;
  realm: string;
  servers: readonly string[];
  iceServers: RTCIceServer[];
}

/** Fetches the account from the server. Errors: Error when it refuses or cannot be reached */
export async function fetchSipAccount(): Promise<SipAccount> {
  const { data } = await client.query({ query: MySipConfigDocument, fetchPolicy: 'no-cache' });
  const config = data?.mySipConfig;
  if (!config) throw new Error('no answer');
  return {
    extension: config.phoneExtension,
    displayName: config.displayName,
    uri: config.sipUri,
    user: config.authUsername,
    password: config.password ?? '',
    realm: config.realm,
    servers: config.wsServers,
    iceServers: config.iceServers.map(({ urls, username, credential }) => ({
      urls,
      ...(username !== null && { username }),
      ...(credential !== null && { credential }),
    })),
  };
}

/** Whether a phone can register: the server knows its domain and its password. */
export function isComplete({ realm, password }: SipAccount): boolean {
  return realm !== '' && password !== '';
}
