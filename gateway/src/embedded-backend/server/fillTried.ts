import { hasSqlState, SQL_STATE } from '../../platform/database/sqlState.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import { SecretUnreadable, type SecretTable, type Vault } from '../secrets/createVault.ts'

/** A spec that someone tries in place of a stored one, with the secrets of that one. @throws Refusal for one that may not be used here */
export async function fillTried(
  vault: Vault,
  table: SecretTable,
  id: string,
  spec: Record<string, unknown>,
): Promise<{ readonly spec: Record<string, unknown>; readonly secrets: readonly string[] }> {
  try {
    const { document, credentials: secrets } = await vault.fillTrial(table, id, { spec })
    return { spec: (document as { spec: Record<string, unknown> }).spec, secrets }
  } catch (error) {
    // The database says so of a stored secret that may not be used here.
    if (!hasSqlState(error, SQL_STATE.checkViolation) && !(error instanceof SecretUnreadable)) throw error
    throw new Refusal(400, { error: error.message })
  }
}
