/** Absolute URL of a path on the server, whatever path prefix a proxy adds. */
export function serverUrl(path: string): string {
  return new URL(path, document.baseURI).href;
}

export function socketUrl(path: string): string {
  return serverUrl(path).replace(/^http/, 'ws');
}

/** Path prefix of the console, without its trailing slash. */
export const BASE_PATH = new URL(document.baseURI).pathname.replace(/\/$/, '');
