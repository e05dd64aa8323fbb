// `npm run try:services`: tries connections against the real programs of the distribution, installed where root may: what the test
// servers of npm leave open is whether the programs that people use answer in the same way.
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'

import { CONNECTION_TYPES, encodeConnection } from '@watchroom/shared/settings/connections'
import { pino } from 'pino'

import { createConnectionTests } from '../../gateway/src/embedded-backend/connections/createConnectionTests.ts'
import { systemClock } from '../../gateway/src/platform/clock.ts'
import { findOnPath, installPackages } from '../support/systemProgram.ts'
import { exim } from './exim.ts'
import { lighttpd } from './lighttpd.ts'
import { mariadb } from './mariadb.ts'
import { openldap } from './openldap.ts'
import { openssh } from './openssh.ts'
import { postgresql } from './postgresql.ts'
import { prometheus } from './prometheus.ts'
import { redis } from './redis.ts'
import { enterPlace, type Service, type Trial, untilUp } from './service.ts'

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const SERVICES: readonly Service[] = [postgresql, redis, mariadb, openldap, openssh, lighttpd, exim, prometheus]
/** What takes connections may not be ready yet, and what it took arrives a little later. */
const PATIENCE_MS = 15_000

const tests = createConnectionTests({
  clock: systemClock,
  logger: pino({ level: 'silent' }),
  folders: { roots: [tmpdir()], hidden: [], own: [] },
})

interface Outcome {
  readonly said: string
  /** Null where it is as expected. */
  readonly fault: string | null
}

async function tryOnce({ type, values, refusal }: Trial): Promise<Outcome> {
  const row = encodeConnection(CONNECTION_TYPES[type], values)
  const verdict = await tests.run('services', { type, row, filled: [] }, new AbortController().signal)
  const said = !verdict.ok
    ? verdict.error
    : verdict.value.outcome === 'failed'
      ? verdict.value.message
      : verdict.value.outcome
  const isExpected = refusal ? refusal.test(said) : said === 'ok'
  return { said, fault: isExpected ? null : `expected ${refusal ? String(refusal) : 'ok'}` }
}

/** Asks again until there is no fault. */
async function patiently(ask: () => Promise<Outcome>): Promise<Outcome> {
  const end = Date.now() + PATIENCE_MS
  for (;;) {
    const outcome = await ask()
    if (outcome.fault === null || Date.now() > end) return outcome
    await new Promise((resolve) => void setTimeout(resolve, 100))
  }
}

async function tryOut(trial: Trial): Promise<Outcome> {
  const outcome = await patiently(() => tryOnce(trial))
  const { prove } = trial
  if (outcome.fault !== null || prove === undefined) return outcome
  return patiently(async () => ({ ...outcome, fault: prove() }))
}

/** The first line with a figure in it, of either stream. */
function versionOf(program: string, args: readonly string[]): string {
  const printed = execFileSync('sh', ['-c', '"$0" "$@" 2>&1 || true', program, ...args], { encoding: 'utf8' })
  return (
    printed
      .split('\n')
      .find((line) => /\d/.test(line))
      ?.trim() ?? ''
  )
}

installPackages(SERVICES.flatMap(({ program, debianPackage }) => (findOnPath(program) === null ? [debianPackage] : [])))
let failures = 0
for (const service of SERVICES) {
  const program = findOnPath(service.program)
  if (program === null) {
    failures += 1
    say(`${service.name}: not to be had (${service.debianPackage})`)
    continue
  }
  say(`${service.name}: ${versionOf(program, service.version)}`)
  const place = await enterPlace(service.program, program)
  try {
    const trials = service.start(place)
    await untilUp(place.port)
    for (const trial of trials) {
      const { said, fault } = await tryOut(trial)
      if (fault !== null) failures += 1
      say(`  ${fault === null ? 'as expected' : `WRONG (${fault})`} · ${trial.type}, ${trial.what}: ${said}`)
    }
  } catch (error) {
    failures += 1
    say(`  WRONG · ${(error as Error).message}`)
  } finally {
    await place.leave()
  }
}
say(failures === 0 ? 'All as expected.' : `${failures} not as expected.`)
process.exit(failures === 0 ? 0 : 1)
