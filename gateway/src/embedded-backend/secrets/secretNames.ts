// The rules of secrets (`secretRules`) as this program asks them, rather than the database.
import { SECRET_RULES } from './secretRules.ts'

/** The rules are written as PostgreSQL reads them. */
const toRegExp = (pattern: string, flags = 'i'): RegExp => new RegExp(pattern.replaceAll('[:space:]', '\\s'), flags)

const NAMES = toRegExp(SECRET_RULES.names)
const EXEMPT = toRegExp(SECRET_RULES.exempt)

/** Each match is a secret within a text. */
export const SECRET_TEXTS = toRegExp(SECRET_RULES.texts, 'gi')
/** A text without any of these has no secret; looking closely costs more. */
export const SECRET_HINT = toRegExp(SECRET_RULES.hint)

/** Whether the name says only where a secret is, or how it is used. */
export const isExemptName = (name: string): boolean => EXEMPT.test(name)

export const isSecretName = (name: string): boolean => NAMES.test(name) && !isExemptName(name)
