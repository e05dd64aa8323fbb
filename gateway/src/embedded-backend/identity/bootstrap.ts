// People who exist from the start: the first administrator, and the demo's five.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { type Role, ROLES } from '@watchroom/shared/access'
import type { Logger } from 'pino'
import { z } from 'zod'

import type { BackendOptions } from '../contract.ts'
import type { Identity, IdentityService } from './createIdentityService.ts'

const FIRST_ADMIN_FILE = 'first-admin'
/** 144 random bits: 24 characters. */
const PASSWORD_BYTES = 18

const FirstAdminFileSchema = z.object({ email: z.string(), password: z.string().optional() })
type FirstAdmin = z.infer<typeof FirstAdminFileSchema>

/** Documented in docs/how-to/sign-in-for-the-first-time.md; these accounts exist in profile `demo` only. */
const DEMO_PASSWORD = 'watchroom-demo'
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
  const firstAdmin = isFirstRun ? await createFirstAdmin(service, options) : undefined
  if (!firstAdmin && options.adminPassword !== undefined) await reportUnusedPassword(service, options, logger)
  await syncDemoPeople(service, options.profile === 'demo')

  const isLinkWanted = options.profile === 'demo' || (isFirstRun && isLoopback(options.publicUrl))
  const administrator = isLinkWanted ? await findAdministrator(service, options) : null
  return {
    ...(firstAdmin ? { firstAdmin } : {}),
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
    // A file that somebody edited is replaced.
    return undefined
  }
}

const newPassword = (): string => randomBytes(PASSWORD_BYTES).toString('base64url')

/** A changed variable must not silently change, or silently not change, who can sign in. */
async function reportUnusedPassword(service: IdentityService, options: BackendOptions, logger: Logger): Promise<void> {
  const check = await service.checkPassword(options.adminEmail, options.adminPassword ?? '', 'bootstrap')
  if (check.kind === 'right') return
  logger.warn(
    { email: options.adminEmail },
    'WATCHROOM_ADMIN_PASSWORD counts on the first start only and differs from the password in the database',
  )
}

async function syncDemoPeople(service: IdentityService, isDemo: boolean): Promise<void> {
  for (const role of ROLES) {
    const existing = await service.findByEmail(demoEmail(role))
    if (existing) await service.setState(existing.id, isDemo ? 'active' : 'inactive')
    else if (isDemo) {
      const [firstName, lastName] = DEMO_NAMES[role]
      await service.createPerson({
        email: demoEmail(role),
        firstName,
        lastName,
        password: DEMO_PASSWORD,
        roles: [role],
      })
    }
  }
}

async function findAdministrator(service: IdentityService, options: BackendOptions): Promise<Identity | null> {
  const administrator = await service.findByEmail(options.adminEmail)
  return administrator?.state === 'active' ? administrator : null
}

function isLoopback(publicUrl: string): boolean {
  if (!URL.canParse(publicUrl)) return false
  const { hostname } = new URL(publicUrl)
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
}
