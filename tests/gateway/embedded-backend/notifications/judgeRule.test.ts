import { NIL_UUID } from '@watchroom/shared/kernel'
import { describe, expect, it } from 'vitest'

import { evaluateLook } from '../../../../gateway/src/check-runner/evaluateLook.ts'
import { createRuleJudge } from '../../../../gateway/src/embedded-backend/notifications/judgeRule.ts'

const judge = createRuleJudge(async (look) => evaluateLook(look))

describe('a rule that is written', () => {
  it.each([
    {},
    { error: null },
    { title: null, filter: null, template: null, repeat_interval: null, wait_for: null, group_by: null },
    {
      title: '{{ check.name }}',
      events: ['check.failed'],
      filter: "labels.team == 'pay'",
      template: '{{ if .status == "unhealthy" }}down{{ end }}',
      person_id: NIL_UUID,
      team_id: null,
      custom_services: [],
      repeat_interval: '1m',
      wait_for: 60e9,
      group_by: ['type', 'labels:team'],
      properties: { fallback_after: '10m', mine: true },
    },
    { custom_services: [{ connection: NIL_UUID }, { connection: 'connection://prod/chat', name: 'chat' }] },
  ])('may be %j', async (row) => {
    expect(await judge(row)).toBeNull()
  })

  it.each([
    [{ events: [] }, 'events: This field is required'],
    [{ events: ['check.failed', 'check.exploded'] }, 'events.1: check.exploded is no event'],
    [{ filter: 'check.name ==' }, 'filter: '],
    [{ template: 'a\n{{ if }}' }, 'template: line 2, column '],
    [{ title: '{{ check.name' }, 'title: line 1, column '],
    [{ repeat_interval: 'often' }, 'repeat_interval: This is no length of time, for example 1h'],
    [{ wait_for: -1 }, 'wait_for: '],
    [{ group_by: ['size'] }, 'group_by.0: Known are type, '],
    [{ properties: { fallback_after: 'soon' } }, 'properties.fallback_after: This is no length of time'],
    [
      { custom_services: [{ connection: 'https://hooks.example.org/key' }] },
      'custom_services.0.connection: This names no',
    ],
    [{ custom_services: [{ url: 'https://hooks.example.org/key' }] }, 'custom_services.0.connection: This field'],
    [{ person_id: NIL_UUID, team_id: NIL_UUID }, 'team_id: A notification has one recipient.'],
  ])('is refused at its column: %j', async (row, said) => {
    expect(await judge(row)).toContain(said)
  })
})
