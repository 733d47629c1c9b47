/** Two parts of one screen, each with a query of its own, both of one campaign. */
export const HEAD = `query HeadWidget($id: ID!) { campaign(id: $id) { __typename id name status businessConfig { __typename intentKeywords }
  progress { __typename id completed } } }`;
export const BODY = `query BodyWidget($id: ID!) { campaign(id: $id) { __typename id phase businessConfig { __typename monitoringMode }
  progress { __typename id total } lines { __typename id name } contacts(first: 1) { __typename
  edges { __typename cursor node { __typename id phoneNumber campaign { __typename id name } } } pageInfo { __typename endCursor hasNextPage } } } }`;
/** What takes long comes later; a plain client waits for the whole. */
export const LATER = `query SlowWidget($id: ID!) { campaign(id: $id) { __typename id ... on Campaign @defer {
  notDialedReasons { __typename reason contacts } actions { __typename name allowed } } } }`;
/** The next page of the second. */
export const MORE = `query MoreContacts($id: ID!, $after: String) { campaign(id: $id) { __typename id contacts(first: 1, after: $after) { __typename
  edges { __typename cursor node { __typename id phoneNumber campaign { __typename id name } } } pageInfo { __typename endCursor hasNextPage } } } }`;
export const RENAME = `mutation Rename($id: ID!, $name: String!) { updateCampaign(id: $id, input: { name: $name }) { __typename ... on Campaign { id name }
  ... on Refusal { code message } } }`;

/** What a client says of its cache goes to the console. */
export function listenToWarnings() {
  const warnings = [];
  for (const level of ['warn', 'error']) console[level] = (...args) => warnings.push(args.map(String).join(' '));
  return warnings;
}

/** `fetch` that counts. */
export function countingFetch() {
  const counting = Object.assign(
    (...args) => {
      counting.requests += 1;
      return fetch(...args);
    },
    { requests: 0 },
  );
  return counting;
}

export async function typesOf(url, headers, query) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  return (await answer.json()).data;
}
