import { z } from 'zod'

/** Texts of the specifications (first and second: section 5, third: section 5). */
export const REQUIRED_TEXT = 'This field is required'
export const NUMBER_TEXT = 'This field must be a number'

/** A text that must be given; spaces around it do not count. */
export const requiredText = z.string().trim().min(1, REQUIRED_TEXT)

/** One of these; nothing chosen yet is an empty text. */
export const choiceOf = <Choice extends string>(choices: readonly Choice[], message = REQUIRED_TEXT) =>
  z.string().pipe(z.enum(choices, { error: message }))
