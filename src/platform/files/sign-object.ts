import { AwsClient } from 'aws4fetch';
import type { S3Options } from './s3-store.ts';

/** How long a signed address may be used, in seconds: it is used at once. */
const EXPIRES_SECONDS = 600;

/**
 * Signs addresses of objects for a GET without further credentials.
 *
 * Source: AWS Signature Version 4, "Authenticating Requests: Using Query Parameters"
 */
export function objectSigner({ endpoint, region, accessKeyId, secretAccessKey, isPathStyle }: Omit<S3Options, 'bucket' | 'timeoutMs'>) {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' });
  const { origin, protocol, host } = new URL(endpoint);
  return async (bucket: string, object: string): Promise<string> => {
    const path = object.split('/').map(encodeURIComponent).join('/');
    const url = new URL(isPathStyle ? `${origin}/${bucket}/${path}` : `${protocol}//${bucket}.${host}/${path}`);
    url.searchParams.set('X-Amz-Expires', String(EXPIRES_SECONDS));
    return (await client.sign(url, { method: 'GET', aws: { signQuery: true } })).url;
  };
}
