import { RUNTIME_RESPONSES, RUNTIME_USER, runtimePermissions, SERVER_PERMISSIONS } from '#protocol/asyncapi.ts';

/** The user of servers in docker/nats.conf. */
export const SERVER_USER = 'callout';

/** Section of a NATS configuration with the two users of docker/nats.conf, each with the permissions of the contract. */
export function usersSection(passwords: { server: string; runtime: string }): string {
  const granted = { ...runtimePermissions(RUNTIME_USER), allow_responses: RUNTIME_RESPONSES };
  const users = [
    { user: SERVER_USER, password: passwords.server, permissions: SERVER_PERMISSIONS },
    { user: RUNTIME_USER, password: passwords.runtime, permissions: granted },
  ];
  return `authorization: ${JSON.stringify({ users })}\n`;
}
