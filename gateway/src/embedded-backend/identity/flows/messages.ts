// What a person is told; ids as in Kratos where Kratos has the case, 49xxxxx where it has not.
import { z } from 'zod'

export const FlowMessageSchema = z.object({
  id: z.number(),
  text: z.string(),
  type: z.enum(['info', 'error', 'success']),
  context: z.record(z.string(), z.unknown()).optional(),
})
export type FlowMessage = z.infer<typeof FlowMessageSchema>

const error = (id: number, text: string, context?: Record<string, unknown>): FlowMessage => ({
  id,
  text,
  type: 'error',
  ...(context ? { context } : {}),
})
const info = (id: number, text: string): FlowMessage => ({ id, text, type: 'info' })

export const MESSAGES = {
  // Any form
  missing: (name: string) => error(4_000_002, `Property ${name} is missing.`, { property: name }),
  tooOften: (waitMs: number) => error(4_900_002, `Too many failed attempts. Try again in ${formatWait(waitMs)}.`),
  unknownMethod: error(4_900_003, 'This form does not offer that. Reload the page.'),

  // Login
  createAccount: info(4_910_001, 'Create account'),
  wrongCredentials: error(
    4_000_006,
    'The provided credentials are invalid, check for spelling mistakes in your password or e-mail address.',
  ),
  inactive: error(4_900_001, 'This account is switched off. Ask an administrator.'),
  confirm: info(1_010_003, 'Please confirm this action by verifying that it is you.'),
  secondFactor: info(1_010_004, 'Please complete the second authentication challenge.'),
  wrongTotp: error(4_000_008, 'The provided authentication code is invalid, please try again.'),
  usedLookup: error(4_000_012, 'This backup recovery code has already been used.'),
  wrongLookup: error(4_000_016, 'The backup recovery code is not valid.'),
  wrongKey: error(4_000_015, 'This key could not be used. Try again, or use another one.'),

  // Passwords and profiles
  similarPassword: error(4_000_031, 'The password is too similar to your e-mail address.'),
  shortPassword: (least: number, got: number) =>
    error(4_000_032, `The password must be at least ${least} characters long, but got ${got}.`, {
      min_length: least,
      actual_length: got,
    }),
  longPassword: (most: number, got: number) =>
    error(4_000_033, `The password must be at most ${most} characters long, but got ${got}.`, {
      max_length: most,
      actual_length: got,
    }),
  commonPassword: error(4_000_034, 'The password is one of the most common ones. Choose another.'),
  badEmail: (given: string) => error(4_000_001, `${JSON.stringify(given)} is not valid "email"`, { reason: 'format' }),
  tooLong: (most: number) => error(4_000_001, `At most ${most} characters.`),
  unprintableName: error(4_000_001, 'A name holds no line breaks or other control characters.'),
  taken: error(4_000_007, 'An account with the same e-mail address exists already.'),

  // Codes and links
  recoveryLinkSent: info(
    1_060_002,
    'If this address belongs to an account, a mail with a link is on its way to it. If none arrives, check the spelling.',
  ),
  recoveryCodeSent: info(
    1_060_003,
    'If this address belongs to an account, a mail with a code is on its way to it. If none arrives, check the spelling.',
  ),
  recovered: { id: 1_060_001, text: 'Your account is recovered. Set a new password now.', type: 'success' },
  wrongRecoveryLink: error(4_060_004, 'The recovery link is invalid or has already been used.'),
  wrongRecoveryCode: error(4_060_006, 'The recovery code is invalid or has already been used. Please try again.'),
  wrongSignInLink: error(4_060_004, 'The sign-in link is invalid or has already been used.'),
  verificationLinkSent: info(
    1_080_001,
    'If this address belongs to an account, a mail with a link is on its way to it. If none arrives, check the spelling.',
  ),
  verificationCodeSent: info(
    1_080_003,
    'If this address belongs to an account, a mail with a code is on its way to it. If none arrives, check the spelling.',
  ),
  verified: { id: 1_080_002, text: 'You successfully verified your e-mail address.', type: 'success' },
  wrongVerificationLink: error(4_070_001, 'The verification link is invalid or has already been used.'),
  wrongVerificationCode: error(
    4_070_006,
    'The verification code is invalid or has already been used. Please try again.',
  ),
  usedUpCode: error(4_000_001, 'The code was entered wrong too often. Ask for another one.'),

  // Registration
  notOffered: (reason: string) => info(4_910_002, reason),
  invitedAddress: info(4_910_003, 'Your invitation is for this address. You can change it later under Your Profile.'),
  chooseCredential: info(1_040_009, 'Choose a password to sign in with.'),
  registrationCodeSent: info(
    1_040_005,
    'If this address can be registered, a mail with a code is on its way to it. If none arrives, you may have an account already.',
  ),
  wrongRegistrationCode: error(
    4_040_002,
    'The registration code is invalid or has already been used. Please try again.',
  ),

  // Accounts at other providers
  notLinked: (label: string) =>
    error(
      4_900_005,
      `This ${label} account is not linked to anyone here. Sign in another way and link it under Your Profile, or ask an administrator for an invitation.`,
    ),
  providerAway: (label: string) => error(4_900_006, `${label} does not answer. Try again, or sign in another way.`),
  providerRefused: (label: string) => error(4_900_007, `${label} did not complete the sign-in. Try again.`),
  strayReturn: error(
    4_900_008,
    'This sign-in began in another browser, took too long, or was completed already. Start again.',
  ),
  linkedElsewhere: (label: string) => error(4_900_009, `This ${label} account is linked to someone else.`),
  otherPerson: (label: string) => error(4_900_010, `This ${label} account is not linked to you. Use the one that is.`),
  takenAddress: (label: string) =>
    error(
      4_000_007,
      `An account with the same e-mail address exists already. Sign in to it, then link ${label} under Your Profile.`,
    ),
  noAddress: (label: string) =>
    error(4_900_011, `${label} does not share your e-mail address. Sign up with a password instead.`),
  lastWayIn: error(4_900_012, 'You could not sign in any more. Choose a password first.'),

  // Settings
  invited: (email: string) => info(4_900_013, `You are invited as ${email}. Continue to sign in: the link works once.`),
  choosePassword: info(4_900_004, 'Welcome. Choose a password now: the link that you opened works once.'),
  saved: { id: 1_050_001, text: 'Your changes have been saved!', type: 'success' },
  wrongKeyRegistration: error(4_000_001, 'The key could not be added. Try again.'),
} as const satisfies Record<string, FlowMessage | ((...values: never[]) => FlowMessage)>

function formatWait(waitMs: number): string {
  const seconds = Math.ceil(waitMs / 1_000)
  return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
}
