/** A file of its own: the page allows no inline scripts. Nothing is kept when the page is left. */
export const GRAPHQL_SCRIPT = `const part = id => document.getElementById(id);
const form = part('ask');
async function ask() {
  const answer = part('answer');
  answer.textContent = '…';
  try {
    const variables = JSON.parse(part('variables').value.trim() || '{}');
    const token = part('token').value.trim();
    const headers = { 'Content-Type': 'application/json', ...(token ? { Authorization: 'Bearer ' + token } : {}) };
    const body = JSON.stringify({ query: part('query').value, variables });
    const response = await fetch('graphql', { method: 'POST', headers, body });
    answer.textContent = JSON.stringify(await response.json(), null, 2);
  } catch (error) {
    answer.textContent = String(error);
  }
}
form.addEventListener('submit', event => { event.preventDefault(); void ask(); });
form.addEventListener('keydown', event => { if (event.ctrlKey && event.key === 'Enter') void ask(); });
`;
