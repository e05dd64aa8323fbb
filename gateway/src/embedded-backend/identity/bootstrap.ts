// People who exist from the start: the first administrator, and the demo's five.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { type Role, ROLES } from '@watchroom/shared/access'
import type { Logger } from 'pino'
import { z } from 'zod'

import type { BackendOptions } from '../contract.ts'
import type { IdentityService } from './createIdentityService.ts'
import type { Identity } from './identity.ts'

const FIRST_ADMIN_FILE = 'first-admin'
/** 144 random bits: 24 characters. */
const PASSWORD_BYTES = 18

const FirstAdminFileSchema = z.object({ email: z.string(), password: z.string().optional() })
type FirstAdmin = z.infer<typeof FirstAdminFileSchema>

/** Of the accounts of the demo in this data directory; text, mode 0600. */
const DEMO_PASSWORD_FILE = 'demo-password'
/** E-mail addresses of the demo's accounts; docs/how-to/sign-in-for-the-first-time.md lists them. */
export const demoEmail = (role: Role): string => `${role}@demo.watchroom.local`

const DEMO_NAMES: Readonly<Record<Role, readonly [string, string]>> = {
  admin: ['Amina', 'Okafor'],
  editor: ['Erik', 'Lindqvist'],
  commander: ['Camila', 'Reyes'],
  responder: ['Rohan', 'Mehta'],
  viewer: ['Vera', 'Novak'],
}

export interface BootstrapResult {
  /** Only when this start created the administrator. */
  firstAdmin?: FirstAdmin
  /** Of the accounts of profile `demo`, while it runs. */
  demoPassword?: string
  /** Token of the one-time link for this start. */
  signInToken?: string
}

/** Makes the people that must exist, and the sign-in link of this start. Safe to repeat after a start that was cut short. */
export async function bootstrapIdentities(
  service: IdentityService,
  options: BackendOptions,
  logger: Logger,
): Promise<BootstrapResult> {
  const isFirstRun = !(await service.hasIdentities())
  if (options.forgetsProviders === true) {
    const people = await service.forgetProviders(options.provider?.issuer)
    logger.info({ people }, 'people of a provider that was left are managed here')
  }
  const firstAdmin = isFirstRun ? await createFirstAdmin(service, options) : undefined
  if (!firstAdmin && options.adminPassword !== undefined) await reportUnusedPassword(service, options, logger)
  const demoPassword = await syncDemoPeople(service, options, logger)

  // Printed text ends up in logs that others read, and this is as good as the password.
  const isLinkWanted = options.isLocal === true && (options.profile === 'demo' || isFirstRun)
  const administrator = isLinkWanted ? await findAdministrator(service, options) : null
  return {
    ...(firstAdmin ? { firstAdmin } : {}),
    ...(demoPassword === undefined ? {} : { demoPassword }),
    ...(administrator ? { signInToken: await service.createSignInLink(administrator.id) } : {}),
  }
}

/**
 * The file is written before the account exists: a start that is cut short between the two leaves a password that the next
 * start uses, never an account whose password nobody knows.
 */
async function createFirstAdmin(service: IdentityService, options: BackendOptions): Promise<FirstAdmin> {
  const file = join(options.dataDirectory, FIRST_ADMIN_FILE)
  const made =
    options.adminPassword === undefined ? (readPassword(file, options.adminEmail) ?? newPassword()) : undefined
  const firstAdmin: FirstAdmin = { email: options.adminEmail, ...(made === undefined ? {} : { password: made }) }
  writeFileSync(`${file}.new`, `${JSON.stringify(firstAdmin, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  await service.createPerson({
    email: options.adminEmail,
    firstName: 'Admin',
    lastName: '',
    password: made ?? options.adminPassword ?? '',
    roles: ['admin'],
  })
  return firstAdmin
}

function readPassword(file: string, email: string): string | undefined {
  if (!existsSync(file)) return undefined
  try {
    const found = FirstAdminFileSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
    return found.email === email ? found.password : undefined
  } catch {
    // A file that someone edited is replaced.
    return undefined
  }
}

const newPassword = (): string => randomBytes(PASSWORD_BYTES).toString('base64url')

/** A changed variable must not silently change, or silently not change, who can sign in. */
async function reportUnusedPassword(service: IdentityService, options: BackendOptions, logger: Logger): Promise<void> {
  if (await service.hasPassword(options.adminEmail, options.adminPassword ?? '')) return
  logger.warn(
    { email: options.adminEmail },
    'WATCHROOM_ADMIN_PASSWORD counts on the first start only and differs from the password in the database',
  )
}

/** @returns the password of the demo's accounts; undefined while they are switched off */
async function syncDemoPeople(
  service: IdentityService,
  options: BackendOptions,
  logger: Logger,
): Promise<string | undefined> {
  const isDemo = options.profile === 'demo'
  const found = await Promise.all(
    ROLES.map(async (role) => ({ role, person: await service.findByEmail(demoEmail(role)) })),
  )
  const existing = found.flatMap(({ person }) => (person ? [person] : []))
  if (!isDemo && existing.length === 0) return undefined
  const password = await renewDemoPassword(service, existing, options, logger)
  // Another profile switched off all of them; a single one was switched off by someone who meant it.
  const areBack = isDemo && existing.every(({ state }) => state === 'inactive')
  for (const { role, person } of found) {
    if (person) {
      if (areBack || !isDemo) await service.setState(person.id, isDemo ? 'active' : 'inactive')
    } else if (isDemo) {
      const [firstName, lastName] = DEMO_NAMES[role]
      await service.createPerson({ email: demoEmail(role), firstName, lastName, password, roles: [role] })
    }
  }
  return isDemo ? password : undefined
}

/**
 * One password per data directory. Accounts that still have a former one get it: that of the file, or, in a directory that has
 * no file yet, whatever they have, because releases before this one gave everyone the same published password. The file is
 * written last, so that a start that is cut short is completed by the next.
 */
async function renewDemoPassword(
  service: IdentityService,
  existing: readonly Identity[],
  options: BackendOptions,
  logger: Logger,
): Promise<string> {
  const file = join(options.dataDirectory, DEMO_PASSWORD_FILE)
  const former = existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
  const password = options.demoPassword ?? former ?? newPassword()
  if (password === former) return password
  for (const { id, email } of existing) {
    const isOwn = former !== undefined && !(await service.hasPassword(email, former))
    if (isOwn) continue
    await service.setPassword(id, password)
    logger.info({ email }, 'account of the demo has another password now')
  }
  writeFileSync(`${file}.new`, `${password}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return password
}

async function findAdministrator(service: IdentityService, options: BackendOptions): Promise<Identity | null> {
  const administrator = await service.findByEmail(options.adminEmail)
  return administrator?.state === 'active' ? administrator : null
}
