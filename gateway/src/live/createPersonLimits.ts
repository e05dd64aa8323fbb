import { type Clock, createRateLimits } from '@watchroom/shared/kernel'

import { createQuota } from '../platform/createQuota.ts'
import type { LiveSettings } from './settings.ts'

/** What one person or one device may, over all their sockets (LIVE-61). Without a name there is no limit: nobody signs in. */
export interface PersonLimits {
  /** Whoever had sockets cut for sending too much opens others more and more seldom. */
  readonly mayEnter: (name: string) => boolean
  readonly noteCut: (name: string | null) => void
  /** Takes a subscription; null when there is none left, else what gives it back. */
  readonly enterSubscription: (name: string | null) => (() => void) | null
  readonly tryTakeMessage: (name: string | null) => boolean
}

export function createPersonLimits(clock: Clock, settings: LiveSettings): PersonLimits {
  const subscriptions = createQuota(settings.maxSubscriptionsPerPerson)
  const messages = createRateLimits(clock, {
    burst: settings.messageBurstPerPerson,
    perSecond: settings.messagesPerSecondPerPerson,
  })
  const cuts = createRateLimits(clock, {
    burst: settings.cutBurstPerPerson,
    perSecond: settings.cutsPerSecondPerPerson,
  })
  return {
    mayEnter: (name) => cuts.waitMs(name) <= 0,
    noteCut: (name) => {
      if (name !== null) cuts.take(name)
    },
    enterSubscription: (name) => (name === null ? () => undefined : subscriptions.enter(name)),
    tryTakeMessage: (name) => {
      if (name === null) return true
      if (messages.waitMs(name) > 0) return false
      messages.take(name)
      return true
    },
  }
}
