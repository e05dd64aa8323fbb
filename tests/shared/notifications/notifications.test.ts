import {
  findMissing,
  isGroupKey,
  isNotificationEvent,
  NOTIFICATION_EVENTS,
  tryParseRepeatInterval,
} from '@watchroom/shared/notifications'
import { expect, it } from 'vitest'

it('a repeat interval of 1m is a month, and every other word what it always is', () => {
  expect(tryParseRepeatInterval('1m')).toBe(30 * 86_400_000)
  expect(tryParseRepeatInterval('1w')).toBe(7 * 86_400_000)
  expect(tryParseRepeatInterval('30m')).toBe(1_800_000)
  expect(tryParseRepeatInterval('often')).toBeNull()
})

it('knows fifteen events and no other', () => {
  expect(NOTIFICATION_EVENTS).toHaveLength(15)
  expect(isNotificationEvent('check.failed')).toBe(true)
  expect(isNotificationEvent('incident.created')).toBe(false)
})

it('groups by three words, labels and tags', () => {
  expect(['type', 'status_reason', 'description', 'labels:app', 'tags:zone'].every(isGroupKey)).toBe(true)
  expect(['name', 'labels:', 'labels', 'tags: '].some(isGroupKey)).toBe(false)
})

it.each([
  [`check.name == 'api'`, 'check.failed', null],
  [`check.name == 'api'`, 'component.unhealthy', 'check.name'],
  [`labels.team == 'check.name' || description.contains("component.x")`, 'config.created', null],
  [`component.type == 'Queue' && canary.name != ''`, 'check.passed', 'component.type'],
  [`has(config["a"])`, 'playbook.spec.approval.updated', 'config'],
  [`run.status == 'waiting' && playbook.name == 'x'`, 'playbook.approval.inserted', null],
  [`run.status == 'waiting'`, 'playbook.spec.approval.updated', 'run.status'],
  [`labels.check == 'x' && checks == 1`, 'component.warning', null],
])('a filter %s of %s lacks %s', (filter, event, missing) => {
  expect(findMissing(filter, event)).toBe(missing)
})
