// Recomputes every die, draw and seal of a campaign with the browser's own WebCrypto. What a draw was made from is
// told by the server, which replays the Phase; `gm verify` judges it again, from an exported archive.
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

async function rolled(key, prefix, one) {
  const two = one.dice.length === 2;
  const single = /^(combat|subversion)\//.test(one.occasion);
  const dice = (await values(key, prefix, one.occasion, single && !two ? [6] : [6, 6])).map((v) => v + 1);
  if (two) return dice.join('+') === one.dice.join('+');
  return one.dice[0] === dice.reduce((a, b) => a + b, 0);
}

async function drawn(key, prefix, { occasion, options }) {
  const [place] = await values(key, prefix, occasion, [options.length]);
  return options[place];
}

// The deal: shuffled from the end (Fisher-Yates), then dealt round the players.
async function hand(key, prefix, { occasion, options, among }) {
  const [what, player] = occasion.split('/');
  const pile = [...options];
  const swaps = await values(key, prefix, what, pile.map((_, n) => n + 1).slice(1).reverse());
  swaps.forEach((other, n) => {
    const last = pile.length - 1 - n;
    [pile[last], pile[other]] = [pile[other], pile[last]];
  });
  return pile.filter((_, n) => among[n % among.length] === player).join(', ');
}

// What was on record and whether it is right; null where it cannot be told what it was drawn from.
async function roll(key, prefix, one) {
  if (one.dice?.length) return [`${one.occasion}: ${one.dice.join(' and ')}`, await rolled(key, prefix, one)];
  if (!one.options) return null;
  if (one.among) return [`${one.occasion}: ${one.drawn}`, (await hand(key, prefix, one)) === one.drawn];
  return [`${one.occasion}: ${one.drawn}, one of ${one.options.length}`, (await drawn(key, prefix, one)) === one.drawn];
}

// What the Bell that opened the Phase printed as such, not what the server says today, and not what stands in somebody's
// press: the seal of the secret, the round.
async function printed(proof, api) {
  const seal = await sha256(bytes(proof.secret));
  if (!proof.opened_by) return { checks: [], by_hand: `Compare with your invitation: ${seal}, and the name of the dice: ${proof.dice_name}` };
  const { text, document: issue } = await get(`${api}/bells/${proof.opened_by}`);
  const told = (issue.bell ?? issue).proof ?? {};
  const announced = text.includes(seal) && (told.next_commitment ?? seal) === seal;
  const checks = [[`Bell #${proof.opened_by}, which opened the Phase, prints the seal of its secret`, announced]];
  if (proof.beacon?.printed) {
    const words = told.beacon ? told.beacon.map((line) => line.text).join(' ') : text;
    checks.push([`Bell #${proof.opened_by} prints round ${proof.beacon.printed} of the beacon`, words.includes(`round ${proof.beacon.printed} of`)]);
  }
  return { checks, by_hand: `Compare with Bell #${proof.opened_by} in your own mailbox: ${seal}` };
}

async function beacon({ beacon, house }) {
  if (!beacon?.randomness) return [];
  return [
    [`Round ${beacon.round} gave the number of its signature`, (await sha256(bytes(beacon.signature))) === beacon.randomness],
    [`Round ${beacon.round} went into the dice`, house.includes(`beacon ${beacon.round} ${beacon.randomness}`)],
  ];
}

async function phase(proof, api) {
  const { checks, by_hand } = await printed(proof, api);
  const secret = bytes(proof.secret);
  checks.push(...await beacon(proof));
  for (const sheet of proof.sheets) {
    checks.push([`The orders of ${sheet.player} have the seal of the receipt`, (await sha256(`${sheet.salt}\n${sheet.orders}`)) === sheet.receipt]);
  }
  const lines = [];
  for (const s of proof.sheets) lines.push(`${s.player} ${proof.dice === 1 ? s.receipt : await sha256(s.counted)}`);
  const keyed = [...proof.house, ...lines.sort()].join('\n');
  checks.push(['The digest is that of all sealed orders', (await sha256(keyed)) === proof.digest]);
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const prefix = `${proof.dice_name}|${proof.turn}|${proof.phase}|${proof.digest}`;
  let left = 0;
  for (const one of proof.rolls) {
    const check = await roll(key, prefix, one);
    if (check) checks.push(check);
    else left += 1;
  }
  return { checks, left, by_hand };
}

function card(proof, { checks, left, by_hand }, reading) {
  const bad = checks.filter(([, good]) => !good).length;
  const judged = proof.reading === reading ? `judged by reading ${reading}` : `judged by reading ${proof.reading}, not that of today (${reading})`;
  return el('details', { open: bad > 0 },
    el('summary', {}, `Turn ${proof.turn}, ${proof.phase}: ${checks.length} checks, ${bad ? `${bad} WRONG` : 'all right'}${left ? `, ${left} cannot be told` : ''}; ${judged}`),
    el('ul', { class: 'checks' }, ...checks.map(([words, good]) => el('li', { class: good ? 'good' : 'bad' }, `${good ? '✓' : '✗'} ${words}`)), el('li', { class: 'hash' }, by_hand)));
}

const button = $('#verify');
button.hidden = false;
button.addEventListener('click', async () => {
  button.disabled = true;
  const verdict = $('#verdict');
  verdict.textContent = 'Computing…';
  try {
    const { phases, reading } = await get(`${button.dataset.api}/fairness`);
    let total = 0;
    let wrong = 0;
    $('#proofs').replaceChildren();
    for (const proof of phases) {
      const result = await phase(proof, button.dataset.api);
      total += result.checks.length;
      wrong += result.checks.filter(([, good]) => !good).length;
      $('#proofs').append(card(proof, result, reading));
    }
    const older = phases.filter((proof) => proof.reading !== reading).length;
    const left = older ? ` ${older} Phases were judged by another reading than today's: what came of them cannot be judged again.` : '';
    verdict.className = wrong ? 'note bad' : older ? 'note' : 'note good';
    verdict.textContent = phases.length ? (wrong ? `${wrong} of ${total} checks failed.` : `All ${total} seals, dice and draws are right.${left}`) : 'No Phase has been published yet.';
  } catch (error) {
    verdict.className = 'note bad';
    verdict.textContent = `Could not be computed: ${error.message}`;
  }
  button.disabled = false;
});
