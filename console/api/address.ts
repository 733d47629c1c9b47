/** An address of the server, wherever a proxy has put it. */
export function serverUrl(path: string): string {
  return new URL(path, document.baseURI).href;
}

export function socketUrl(path: string): string {
  return serverUrl(path).replace(/^http/, 'ws');
}

/** The path under which the pages live, without the slash at its end. */
export const BASE_PATH = new URL(document.baseURI).pathname.replace(/\/$/, '');
