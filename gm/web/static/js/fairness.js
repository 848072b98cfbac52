// Recomputes every die and every seal of a campaign with the browser's own WebCrypto. Nothing is taken on trust
// but the page itself; `gm verify` does the same from an exported archive.
import { $, el } from './dom.js';
import { get } from './api.js';

const encoder = new TextEncoder();
const hex = (buffer) => [...new Uint8Array(buffer)].map((b) => b.toString(16).padStart(2, '0')).join('');
const bytes = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const sha256 = async (data) => hex(await crypto.subtle.digest('SHA-256', typeof data === 'string' ? encoder.encode(data) : data));

// Numbers below each size k: HMAC, first eight bytes big-endian, rejected in the incomplete last block, modulo k.
export async function values(key, prefix, occasion, sizes) {
  const found = [];
  let n = 0;
  for (const size of sizes.map(BigInt)) {
    const limit = ((1n << 64n) / size) * size;
    for (;;) {
      const mac = await crypto.subtle.sign('HMAC', key, encoder.encode(`${prefix}|${occasion}|${n}`));
      const number = new DataView(mac).getBigUint64(0);
      n += 1;
      if (number < limit) { found.push(Number(number % size)); break; }
    }
  }
  return found;
}

async function roll(key, prefix, one) {
  if (!one.dice?.length) return null; // a draw: `gm verify` repeats those with the whole Phase
  const two = one.dice.length === 2;
  const single = /^(combat|subversion)\//.test(one.occasion);
  const dice = (await values(key, prefix, one.occasion, single && !two ? [6] : [6, 6])).map((v) => v + 1);
  if (two) return dice.join('+') === one.dice.join('+');
  return one.dice[0] === dice.reduce((a, b) => a + b, 0);
}

async function phase(proof) {
  const checks = [];
  const secret = bytes(proof.secret);
  checks.push(['The secret has the seal that was printed', (await sha256(secret)) === proof.commitment]);
  for (const sheet of proof.sheets) {
    checks.push([`The orders of ${sheet.player} have the seal of the receipt`, (await sha256(`${sheet.salt}\n${sheet.orders}`)) === sheet.receipt]);
  }
  const lines = proof.sheets.map((s) => `${s.player} ${s.receipt}`).sort().join('\n');
  checks.push(['The digest is that of all sealed orders', (await sha256(lines)) === proof.digest]);
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const prefix = `${proof.dice_name}|${proof.turn}|${proof.phase}|${proof.digest}`;
  let draws = 0;
  for (const one of proof.rolls) {
    const good = await roll(key, prefix, one);
    if (good === null) draws += 1;
    else checks.push([`${one.occasion}: ${one.dice.join(' and ')}`, good]);
  }
  return { checks, draws };
}

function card(proof, { checks, draws }) {
  const bad = checks.filter(([, good]) => !good).length;
  return el('details', { open: bad > 0 },
    el('summary', {}, `Turn ${proof.turn}, ${proof.phase}: ${checks.length} checks, ${bad ? `${bad} WRONG` : 'all right'}${draws ? `, ${draws} draws not shown` : ''}`),
    el('ul', {}, ...checks.map(([words, good]) => el('li', { class: good ? 'good' : 'bad' }, `${good ? '✓' : '✗'} ${words}`))));
}

const button = $('#verify');
button.hidden = false;
button.addEventListener('click', async () => {
  button.disabled = true;
  const verdict = $('#verdict');
  verdict.textContent = 'Computing…';
  try {
    const { phases } = await get(`${button.dataset.api}/fairness`);
    let total = 0;
    let wrong = 0;
    $('#proofs').replaceChildren();
    for (const proof of phases) {
      const result = await phase(proof);
      total += result.checks.length;
      wrong += result.checks.filter(([, good]) => !good).length;
      $('#proofs').append(card(proof, result));
    }
    verdict.className = wrong ? 'note bad' : 'note good';
    verdict.textContent = phases.length ? (wrong ? `${wrong} of ${total} checks failed.` : `All ${total} seals and dice are right.`) : 'No Phase has been published yet.';
  } catch (error) {
    verdict.className = 'note bad';
    verdict.textContent = `Could not be computed: ${error.message}`;
  }
  button.disabled = false;
});
