import type { ProviderRules } from '../embedded-backend/contract.ts'
import type { Config } from './config.ts'

/** Which provider's tokens the embedded backend accepts; undefined where people sign in here. */
export function toProviderRules(config: Config): ProviderRules | undefined {
  const { auth, oidcIssuer: issuer, oidcClientId: audience, oidcRolesClaim: rolesClaim, oidcRoles: roles } = config
  if (auth !== 'hosted' || issuer === undefined || audience === undefined) return undefined
  return { issuer, audience, rolesClaim, ...(roles ? { roles } : {}) }
}
