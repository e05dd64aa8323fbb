// A variable of the environment. One that holds a secret may stand in a file instead: an environment is inherited by every
// process and shown by tools, a file of mode 0600 is not.
import { readFileSync } from 'node:fs'

import { failed, ok, type Result } from '@watchroom/shared/kernel'

export type Environment = Readonly<Record<string, string | undefined>>

/** Appended to the name of a variable that holds a secret, it names the file to read the value from. */
export const FILE_SUFFIX = '_FILE'

export interface ReadVariable {
  /** Undefined when it is not set; an empty variable counts as not set. */
  readonly text: string | undefined
  /** Under which name it was given, for messages. */
  readonly name: string
}

/** @returns the failure as a sentence that names the variable, and never its value */
export function readVariable(env: Environment, name: string, isSecret: boolean): Result<ReadVariable, string> {
  const text = env[name] || undefined
  const fileVariable = `${name}${FILE_SUFFIX}`
  const path = isSecret ? env[fileVariable] || undefined : undefined
  if (path === undefined) return ok({ text, name })
  if (text !== undefined) return failed(`${name} and ${fileVariable}: both are set; unset one of them`)
  try {
    // Editors and `echo` end a file with a line break that nobody means.
    const content = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
    if (content === '') return failed(`${fileVariable}: ${path} is empty`)
    return ok({ text: content, name: fileVariable })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    return failed(`${fileVariable}: ${path} cannot be read (${code})`)
  }
}
