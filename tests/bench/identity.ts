// Whether time tells which names have an account: 200 tries with a name that has one and 200 with one that has none, in turns, in every
// form and with Basic credentials.
import { setTimeout as sleep } from 'node:timers/promises'

import { type BackendAnswer, startEmbeddedBackend, type TestBackend } from '../support/embeddedBackend.ts'
import { KratosBrowser, queryBackend, setProperty } from '../support/kratosBrowser.ts'
import { createRandom } from '../support/random.ts'
import { type BenchTable, percentile } from './table.ts'

const TRIES = 200
/** Of the difference's middle. */
const RESAMPLES = 2_000

type Kind = 'login' | 'recovery' | 'verification' | 'registration'
const FORMS: readonly [Kind, (email: string) => Record<string, unknown>][] = [
  ['login', (email) => ({ method: 'password', identifier: email, password: 'not the password' })],
  ['recovery', (email) => ({ method: 'code', email })],
  ['verification', (email) => ({ method: 'code', email })],
  [
    'registration',
    (email) => ({ method: 'password', password: 'a sentence to remember', traits: { email, name: {} } }),
  ],
]

let networks = 0
/** A network for each try: no limit of an address is what is measured. */
const from = (): Record<string, string> => {
  networks += 1
  return { 'x-forwarded-for': `10.${(networks >> 8) & 255}.${networks & 255}.1` }
}

/** Milliseconds of an answer; one that only tells to come back says nothing. */
async function time(ask: () => Promise<BackendAnswer>): Promise<number> {
  for (;;) {
    const startedAt = performance.now()
    const { status, headers } = await ask()
    if (status !== 429) return performance.now() - startedAt
    await sleep(Number(headers['retry-after']) * 1_000)
  }
}

type Try = (email: string) => Promise<number>

const throughForm =
  (backend: TestBackend, kind: Kind, valuesOf: (email: string) => Record<string, unknown>): Try =>
  async (email) => {
    const browser = new KratosBrowser(backend, from())
    const flow = await browser.start(kind)
    return time(() => browser.submit(kind, flow, valuesOf(email)))
  }

const byBasic =
  (backend: TestBackend): Try =>
  async (email) => {
    const authorization = `Basic ${Buffer.from(`${email}:not the password`).toString('base64')}`
    const headers = { authorization, ...from() }
    return time(() => backend.call('/auth/whoami', { headers }))
  }

/** People of their own for each way in: what is remembered of one name is no part of another's time. */
async function compare(backend: TestBackend, name: string, ask: Try): Promise<(string | number)[]> {
  await queryBackend(
    backend,
    `insert into watchroom_identity.identities (traits, password_hash)
     select jsonb_build_object('email', 'known-' || $1 || '-' || n || '@test.local'), one.password_hash
     from generate_series(0, $2::integer - 1) n,
       (select password_hash from watchroom_identity.identities where password_hash is not null limit 1) one`,
    [name, TRIES],
  )
  const known: number[] = []
  const unknown: number[] = []
  for (let n = 0; n < TRIES; n++) {
    const turn = [
      [`known-${name}-${n}@test.local`, known],
      [`other-${name}-${n}@test.local`, unknown],
    ] as const
    for (const [email, times] of n % 2 === 0 ? turn : turn.toReversed()) times.push(await ask(email))
  }
  const differences = known.map((ms, n) => ms - (unknown[n] ?? Number.NaN))
  const [low, high] = confidence(differences)
  return [
    name,
    percentile(known, 0.5).toFixed(2),
    percentile(unknown, 0.5).toFixed(2),
    percentile(differences, 0.5).toFixed(2),
    `${low.toFixed(2)} to ${high.toFixed(2)}`,
    shareLonger(known, unknown).toFixed(3),
  ]
}

/** Where the median of the differences lies with 95 %, by drawing them again; the same draw in every run. */
function confidence(differences: readonly number[]): [number, number] {
  const random = createRandom(7)
  const medians = Array.from({ length: RESAMPLES }, () =>
    percentile(
      differences.map(() => differences[Math.floor(random() * differences.length)] ?? 0),
      0.5,
    ),
  )
  return [percentile(medians, 0.025), percentile(medians, 0.975)]
}

/** How often one of the first is longer than one of the second: half of the time where nothing can be told. */
function shareLonger(first: readonly number[], second: readonly number[]): number {
  const wins = first.flatMap((a) => second.map((b) => (a > b ? 1 : a === b ? 0.5 : 0)))
  return wins.reduce((sum: number, win) => sum + win, 0) / wins.length
}

export async function run(): Promise<BenchTable> {
  const backend = await startEmbeddedBackend()
  try {
    await setProperty(backend, 'identity.registration', 'open')
    const ways: [string, Try][] = [
      ...FORMS.map(([kind, valuesOf]): [string, Try] => [kind, throughForm(backend, kind, valuesOf)]),
      ['basic', byBasic(backend)],
    ]
    const rows: (string | number)[][] = []
    for (const [name, ask] of ways) rows.push(await compare(backend, name, ask))
    return {
      title: `Names that have an account against names that have none, ${TRIES} tries each`,
      columns: ['way in', 'known p50 ms', 'unknown p50 ms', 'difference p50 ms', 'of which 95 %', 'known is longer'],
      rows,
      notes: [
        'Known is longer: the share of all pairs; 0.5 tells nothing, and with 200 tries chance alone gives 0.44 to 0.56.',
        'That both do the same work is held without a clock: tests/security/identityFlows.integration.test.ts.',
      ],
    }
  } finally {
    await backend.stop()
  }
}
