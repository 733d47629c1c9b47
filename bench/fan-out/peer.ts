import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { parseProgress } from './progress-body.ts';
import { graphqlWsPeer, rawSocketPeer, yogaPeer } from './graphql-peers.ts';
import type { Peer } from './peer-shape.ts';
import { betterSsePeer, rawSsePeer } from './sse-peers.ts';

const PEERS: Record<string, () => Peer> = {
  'raw-sse': rawSsePeer,
  'better-sse': betterSsePeer,
  'raw-ws': rawSocketPeer,
  'graphql-ws': graphqlWsPeer,
  yoga: yogaPeer,
};

const { values } = parseArgs({ options: { kind: { type: 'string' }, port: { type: 'string' } } });
const peer = PEERS[values.kind ?? '']?.();
if (!peer) throw new Error(`no peer ${values.kind}`);
let version = 0;
const server = createServer((request, response) => {
  if (request.method !== 'POST' || request.url !== '/api/call-progress') {
    if (peer.serve && request.url !== '/alive') peer.serve(request, response);
    else response.writeHead(404, { 'Content-Length': 0 }).end();
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    peer.publish(parseProgress(Buffer.concat(chunks).toString(), (version += 1)));
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 2 }).end('{}');
  });
});
peer.upgrade?.(server);
server.listen(Number(values.port), '127.0.0.1');
