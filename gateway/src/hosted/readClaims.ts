// What a provider says about a person. Providers name and shape claims differently, so names are settings and several shapes are
// accepted; an entry that cannot be read is not an organization.
import { ownValue } from '@watchroom/shared/kernel'
import { z } from 'zod'

import type { Organization } from './contract.ts'

/** One that the operator names, with its backend. */
export const KnownOrganizationSchema = z.object({
  id: z.string().min(1).max(200),
  name: z.string().min(1).max(200).optional(),
  backendUrl: z.string().min(1),
  backendToken: z.string().min(1).optional(),
  backendDatabaseUrl: z.string().min(1).optional(),
})
export type KnownOrganization = z.infer<typeof KnownOrganizationSchema>

export interface ClaimRules {
  /** Claim that lists the organizations; undefined where there is one organization alone. */
  readonly organizationsClaim: string | undefined
  readonly known: readonly KnownOrganization[]
  /** Hosts to which a backend address in a claim may lead, and those below them. */
  readonly backendHosts: readonly string[]
  /** Addresses in claims may be plain http only where the provider itself is. */
  readonly isPlainHttp: boolean
}

export interface PersonClaims {
  readonly subject: string
  readonly name: string
  readonly email: string
  readonly organizations: readonly Organization[]
}

/** The one organization of a company that signs in with a provider of its own. */
export const ONLY_ORGANIZATION: Organization = { id: '', name: '', backendUrl: null }

const text = z.string().max(200).optional().catch(undefined)
const EntrySchema = z.object({
  id: text,
  name: text,
  slug: text,
  backend_url: z.string().max(2_000).optional().catch(undefined),
})
type Entry = z.infer<typeof EntrySchema>

/** A person may belong to this many; more of a claim is not read. */
const MAX_ORGANIZATIONS = 200

export function readClaims(claims: Readonly<Record<string, unknown>>, rules: ClaimRules): PersonClaims {
  const subject = String(claims['sub'])
  const email = text.parse(claims['email']) ?? ''
  return {
    subject,
    name: text.parse(claims['name']) ?? text.parse(claims['preferred_username']) ?? email,
    email,
    organizations: readOrganizations(claims, rules),
  }
}

function readOrganizations(claims: Readonly<Record<string, unknown>>, rules: ClaimRules): readonly Organization[] {
  if (rules.organizationsClaim === undefined) return [ONLY_ORGANIZATION]
  const entries = toEntries(ownValue(claims, rules.organizationsClaim)).slice(0, MAX_ORGANIZATIONS)
  const found = new Map<string, Organization>()
  for (const entry of entries) {
    const id = entry.id ?? entry.slug ?? entry.name
    if (id === undefined || id === '' || found.has(id)) continue
    const known = rules.known.find((one) => one.id === id)
    found.set(id, {
      id,
      name: known?.name ?? entry.name ?? entry.slug ?? id,
      backendUrl: known?.backendUrl ?? readAddress(entry.backend_url, rules),
    })
  }
  return [...found.values()]
}

/** A name, a list of names or of objects, or an object by name. */
function toEntries(claim: unknown): Entry[] {
  if (typeof claim === 'string') return [{ id: claim }]
  if (Array.isArray(claim)) return claim.flatMap((one) => toEntry(one))
  if (typeof claim !== 'object' || claim === null) return []
  if (['id', 'slug', 'backend_url'].some((key) => key in claim)) return toEntry(claim)
  return Object.entries(claim).map(([name, one]) => ({ id: name, ...toEntry(one)[0] }))
}

function toEntry(one: unknown): Entry[] {
  if (typeof one === 'string') return [{ id: one }]
  const entry = EntrySchema.safeParse(one)
  return entry.success ? [withoutGaps(entry.data)] : []
}

/** An id that is not there must not hide the one that the entry stands under. */
const withoutGaps = (entry: Entry): Entry =>
  Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined))

/** People's tokens go to this address: only to hosts that the operator named. */
function readAddress(address: string | undefined, { backendHosts, isPlainHttp }: ClaimRules): string | null {
  if (address === undefined || !URL.canParse(address)) return null
  const { protocol, hostname, username, password, search, hash } = new URL(address)
  if (protocol !== 'https:' && !(protocol === 'http:' && isPlainHttp)) return null
  if (username !== '' || password !== '' || search !== '' || hash !== '') return null
  const isNamed = backendHosts.some((host) => hostname === host || hostname.endsWith(`.${host}`))
  return isNamed ? address.replace(/\/+$/, '') : null
}
